import type { LoadedFrom } from './events.ts';

/** What the owner is told about a document that could not be read, null when nothing was lost; one plain sentence. */
export const lossOf = (from: LoadedFrom, trouble: 'unreadable' | 'missing' | null): string | null => {
  if (trouble === null) return null;
  if (from === 'previous') {
    return trouble === 'missing'
      ? 'The saved settings were gone; the copy from before the last save is in use.'
      : 'The saved settings could not be read; the copy from before the last save is in use, and the broken file is kept as state.json.broken until a credential is removed or replaced.';
  }
  return 'The saved settings and their copy could not be read; this panel started with none, and the broken file is kept as state.json.broken until a credential is removed or replaced.';
};
