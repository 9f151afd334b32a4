import { sectionWords } from '../kit/section-words.ts';
import type { DamagedSection, Loaded } from './events.ts';

/** One sentence for what was read from copies, and one for what began anew. */
function sectionsLoss(damaged: readonly DamagedSection[]): string {
  const wordsOf = (isCopied: boolean): string =>
    sectionWords(damaged.filter(({ from }) => (from === 'previous') === isCopied).map(({ section }) => section));
  const [copied, lost] = [wordsOf(true), wordsOf(false)];
  return [
    copied === ''
      ? ''
      : `What was kept of ${copied} could not be read; the copy from before the last change is in use.`,
    lost === '' ? '' : `What was kept of ${lost} could not be read, nor its copy; it began anew.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** What the owner is told of what could not be read, null when nothing was lost; the settings take precedence. */
export function lossOf({ from, trouble, damaged }: Pick<Loaded, 'from' | 'trouble' | 'damaged'>): string | null {
  if (trouble === null) return damaged.length === 0 ? null : sectionsLoss(damaged);
  if (from === 'previous') {
    return trouble === 'missing'
      ? 'The saved settings were gone; the copy from before the last save is in use.'
      : 'The saved settings could not be read; the copy from before the last save is in use, and the broken file is kept as state.json.broken until a credential is removed or replaced.';
  }
  return 'The saved settings and their copy could not be read; this panel started with none, and the broken file is kept as state.json.broken until a credential is removed or replaced.';
}
