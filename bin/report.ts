import { stripVTControlCharacters } from 'node:util';
import type { CapabilityRow } from '#machines/kit/status.ts';
import type { StatusDocument } from '#machines/status.ts';

/** Most that is printed of what an agent or a device says: characters of a line, and lines. */
const longestLine = 2_000;
const mostLines = 1_000;

/**
 * Text for a terminal from whoever answered, line by line: without escape sequences and whatever else moves, hides or
 * reorders what stands beside it, and bounded.
 */
export const plainLines = (text: string): string[] => {
  const lines = text.split(/\r?\n/, mostLines + 1).map((line) => {
    const plain = stripVTControlCharacters(line.slice(0, 2 * longestLine)).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ');
    return plain.length > longestLine ? `${plain.slice(0, longestLine)} …` : plain;
  });
  return lines.length > mostLines ? [...lines.slice(0, mostLines), '…'] : lines;
};

const words: Readonly<Record<CapabilityRow['state'], string>> = {
  working: 'working',
  needs_you: 'needs you',
  off: 'off',
  not_here: 'not here',
  checking: 'checking',
};

const marks: Readonly<Record<CapabilityRow['state'], string>> = {
  working: '+',
  needs_you: '!',
  off: 'o',
  not_here: '-',
  checking: '?',
};

const rowLines = (row: CapabilityRow): string[] => [
  `  ${marks[row.state]} ${row.title.padEnd(18)} ${words[row.state].padEnd(10)} ${row.detail}`,
  ...(row.missing === null ? [] : [`      missing: ${row.missing}`]),
  ...(row.fix === null ? [] : [`      fix:     ${row.fix.command}`, `               ${row.fix.effect}`]),
];

const headLine = ({ version, system, profile }: StatusDocument['panel']): string =>
  `Sconce ${version} on ${system === '' ? 'this machine' : system} (${profile.title})`;

/** The lines of `sconce doctor` for a status document. */
export const doctorLines = (status: StatusDocument, sentence = status.sentence): string[] => [
  headLine(status.panel),
  sentence,
  '',
  ...status.capabilities.flatMap(rowLines),
  ...(status.warnings.length === 0 ? [] : ['', ...status.warnings.map((warning) => `  ! ${warning}`)]),
];

/**
 * What probing the machine found in one sentence, with the exit status: 1 when a real panel has nothing to control.
 */
export const probeSummary = (status: StatusDocument): { readonly sentence: string; readonly status: 0 | 1 } => {
  const working = status.capabilities.filter((row) => row.state === 'working').map((row) => row.title.toLowerCase());
  const needing = doctorStatus(status);
  if (working.length > 0) return { sentence: `Found and tried here: ${working.join(', ')}.`, status: needing };
  return {
    sentence: 'Nothing that Sconce could control was found here.',
    status: status.panel.profile.simulated ? needing : 1,
  };
};

/** Exit status of `sconce doctor`: 0 when nothing needs a person, else 1. */
export const doctorStatus = (status: StatusDocument): 0 | 1 =>
  status.state === 'needs_you' || status.capabilities.some((row) => row.state === 'needs_you') ? 1 : 0;
