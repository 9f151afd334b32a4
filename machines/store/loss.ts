import { sectionWords } from '../kit/section-words.ts';
import type { DamagedSection, Loaded, NewerDocument } from './events.ts';

/** What has a sentence of its own. */
const EXPLAINED: ReadonlySet<DamagedSection['from']> = new Set(['previous', 'unreadable', 'copy', 'newer']);

/** One sentence each for sections read from copies, sections that started empty, and sections that cannot be opened. */
function sectionsLoss(damaged: readonly DamagedSection[]): string {
  const wordsOf = (isMeant: (from: DamagedSection['from']) => boolean): string =>
    sectionWords(damaged.filter(({ from }) => isMeant(from)).map(({ section }) => section));
  const copied = wordsOf((from) => from === 'previous');
  const closed = wordsOf((from) => from === 'unreadable');
  const older = wordsOf((from) => from === 'copy');
  const newer = wordsOf((from) => from === 'newer');
  const lost = wordsOf((from) => !EXPLAINED.has(from));
  return [
    copied === ''
      ? ''
      : `What was kept of ${copied} could not be read; the copy from before the last change is in use.`,
    lost === '' ? '' : `What was kept of ${lost} could not be read, nor its copy; it began anew.`,
    closed === ''
      ? ''
      : `What was kept of ${closed} cannot be opened: the folder "sections" in the data folder, or a file there, is not readable for the agent. It stays as it is, and nothing is added to it.`,
    older === ''
      ? ''
      : `A newer version of Sconce has written what is kept of ${older}, which this one cannot read; the copy from before is in use.`,
    newer === ''
      ? ''
      : `A newer version of Sconce has written what is kept of ${newer}, which this one cannot read. It stays as it is, and nothing is added to it.`,
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

const WRITTEN = 'A newer version of Sconce has written the settings, which this version cannot read.';

/** The refusal of everything that would be saved, while the owner has not decided about a newer document. */
export const UNDECIDED =
  'Install the newer version of Sconce again, or start over without its settings: under More > Reset, choose Everything.';

/** The owner's message about the document of a newer version. */
export const newerWords = ({ copyFrom }: NewerDocument): string =>
  copyFrom === null
    ? `${WRITTEN} Nothing is saved, and neither the broker nor Home Assistant is connected, until you decide. ${UNDECIDED} They are kept in the data folder either way.`
    : `${WRITTEN} Those of ${new Date(copyFrom).toISOString().slice(0, 10)}, from before it, are in use; the newer ones are kept in the data folder.`;

/** The same for the headline of the status; null without such a document. */
export const newerNotice = (
  newer: NewerDocument | null,
): { readonly sentence: string; readonly isUndecided: boolean } | null =>
  newer === null ? null : { sentence: newerWords(newer), isUndecided: newer.copyFrom === null };
