import type { DamagedSection, Loaded } from './events.ts';

const sectionLoss = ({ section, from }: DamagedSection): string =>
  from === 'previous'
    ? `What the panel keeps by itself as ${section} could not be read; the copy from before its last change is in use.`
    : `What the panel keeps by itself as ${section} could not be read, nor its copy; it began anew.`;

/** What the owner is told of what could not be read, null when nothing was lost; the settings take precedence. */
export function lossOf({ from, trouble, damaged }: Pick<Loaded, 'from' | 'trouble' | 'damaged'>): string | null {
  const [section] = damaged;
  if (trouble === null) return section === undefined ? null : sectionLoss(section);
  if (from === 'previous') {
    return trouble === 'missing'
      ? 'The saved settings were gone; the copy from before the last save is in use.'
      : 'The saved settings could not be read; the copy from before the last save is in use, and the broken file is kept as state.json.broken until a credential is removed or replaced.';
  }
  return 'The saved settings and their copy could not be read; this panel started with none, and the broken file is kept as state.json.broken until a credential is removed or replaced.';
}
