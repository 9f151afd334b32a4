import { sectionWords } from '../kit/section-words.ts';
import type { DamagedSection, Loaded } from './events.ts';

/** One sentence each for sections read from copies, sections that started empty, and sections that cannot be opened. */
function sectionsLoss(damaged: readonly DamagedSection[]): string {
  const wordsOf = (isMeant: (from: DamagedSection['from']) => boolean): string =>
    sectionWords(damaged.filter(({ from }) => isMeant(from)).map(({ section }) => section));
  const copied = wordsOf((from) => from === 'previous');
  const closed = wordsOf((from) => from === 'unreadable');
  const lost = wordsOf((from) => from !== 'previous' && from !== 'unreadable');
  return [
    copied === ''
      ? ''
      : `What was kept of ${copied} could not be read; the copy from before the last change is in use.`,
    lost === '' ? '' : `What was kept of ${lost} could not be read, nor its copy; it began anew.`,
    closed === ''
      ? ''
      : `What was kept of ${closed} cannot be opened: the folder "sections" in the data folder, or a file there, is not readable for the agent. It stays as it is, and nothing is added to it.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** The owner's message about what could not be read, null if nothing was lost; the settings take precedence. */
export function lossOf({ from, trouble, damaged }: Pick<Loaded, 'from' | 'trouble' | 'damaged'>): string | null {
  if (trouble === null) return damaged.length === 0 ? null : sectionsLoss(damaged);
  if (from === 'previous') {
    return trouble === 'missing'
      ? 'The saved settings were gone; the copy from before the last save is in use.'
      : 'The saved settings could not be read; the copy from before the last save is in use, and the broken file is kept as state.json.broken until a credential is removed or replaced.';
  }
  return 'The saved settings and their copy could not be read; this panel started with none, and the broken file is kept as state.json.broken until a credential is removed or replaced.';
}
