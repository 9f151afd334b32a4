import { stripVTControlCharacters } from 'node:util';
import type { CapabilityRow } from '#machines/kit/status.ts';
import type { StatusDocument } from '#machines/status.ts';
import type { DoctorRow } from './doctor-rows.ts';

/** Longest line, in characters, and most lines that are printed of what an agent or a device sent. */
const longestLine = 2_000;
const mostLines = 1_000;

/**
 * Foreign text for a terminal, line by line: bounded, and without escape sequences or anything else that moves, hides
 * or reorders what is beside it.
 */
export function plainLines(text: string): string[] {
  const lines = text.split(/\r?\n/, mostLines + 1).map((line) => {
    const plain = stripVTControlCharacters(line.slice(0, 2 * longestLine)).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ');
    return plain.length > longestLine ? `${plain.slice(0, longestLine)} …` : plain;
  });
  return lines.length > mostLines ? [...lines.slice(0, mostLines), '…'] : lines;
}

type State = CapabilityRow['state'];

const words: Readonly<Record<State, string>> = {
  working: 'working',
  needs_you: 'needs you',
  off: 'off',
  not_here: 'not here',
  checking: 'checking',
};

const marks: Readonly<Record<State, string>> = {
  working: '+',
  needs_you: '!',
  off: 'o',
  not_here: '-',
  checking: '?',
};

/** The order of the table: what a person has to do comes first, what works last. */
const order: readonly State[] = ['needs_you', 'checking', 'off', 'not_here', 'working'];

/** Widest column of titles, in characters; a longer title shifts only its own line. */
const widest = 32;

const rowLines = (row: DoctorRow, width: number): string[] => [
  `  ${marks[row.state]} ${row.title.padEnd(width)} ${words[row.state].padEnd(9)} ${row.detail}`,
  ...(row.missing === null ? [] : [`      missing: ${row.missing}`]),
  ...(row.fix === null ? [] : [`      fix:     ${row.fix.command}`]),
  ...(row.fix === null || row.fix.effect === null ? [] : [`               ${row.fix.effect}`]),
];

/** A title inside a sentence; a name or an abbreviation at its beginning keeps its capital. */
const within = (title: string): string =>
  title.replace(/^(?!Home Assistant|Zigbee)[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());

const worksLine = (titles: readonly string[]): string =>
  `  ${marks.working} ${titles.length} ${titles.length === 1 ? 'works' : 'work'}: ${titles.map(within).join(', ')}`;

const isSimplyWorking = (row: DoctorRow): boolean => row.state === 'working' && row.missing === null;

/** The one table: what needs a person first, and what simply works folded into its last line. */
function tableLines(rows: readonly DoctorRow[]): string[] {
  const reported = rows.filter((row) => !isSimplyWorking(row));
  const folded = rows.filter(isSimplyWorking).map(({ title }) => title);
  const width = Math.min(widest, Math.max(0, ...reported.map(({ title }) => title.length)));
  return [
    ...order.flatMap((state) => reported.filter((row) => row.state === state)).flatMap((row) => rowLines(row, width)),
    ...(folded.length === 0 ? [] : [worksLine(folded)]),
  ];
}

function headline(rows: readonly DoctorRow[], otherwise: string): string {
  const titles = rows.filter(({ state }) => state === 'needs_you').map(({ title }) => title);
  if (titles.length === 0) return otherwise;
  return titles.length === 1 ? `Needs you: ${titles[0]}.` : `Needs you for ${titles.length}: ${titles.join(', ')}.`;
}

/** What doctor reports on a panel. */
export interface Reported {
  readonly status: StatusDocument;
  readonly rows: readonly DoctorRow[];
  /** Hints about the machine that need no action, one or two sentences each. */
  readonly notes?: readonly string[];
  /** What only a person can check, one sentence each. */
  readonly byHand: readonly string[];
  /** The headline if no row needs a person. */
  readonly sentence: string;
}

/** The lines of `sconce doctor`: what needs a person first, then one table of everything. */
export function doctorLines({ status, rows, notes = [], byHand, sentence }: Reported): string[] {
  const { version, system, profile } = status.panel;
  return [
    `Sconce ${version} on ${system === '' ? 'this machine' : system} (${profile.title})`,
    headline(rows, sentence),
    '',
    ...tableLines(rows),
    ...(status.warnings.length + notes.length + byHand.length === 0 ? [] : ['']),
    ...[...status.warnings, ...notes].map((note) => `  Note: ${note}`),
    ...byHand.map((step) => `  Only you can tell: ${step}`),
  ];
}

/** The headline of a running agent that needs no one, with the next step of one that does for another reason. */
export const ownSentence = ({ state, sentence, next }: StatusDocument): string =>
  state === 'needs_you' && next !== null ? `${sentence} ${next.sentence}` : sentence;

const worksSomething = ({ capabilities }: StatusDocument): boolean =>
  capabilities.some(({ state }) => state === 'working');

/** The headline for a machine that was checked without an agent and needs no one. */
export const foundSentence = (status: StatusDocument): string =>
  worksSomething(status) ? 'Everything found here works.' : 'Nothing that Sconce can control was found here.';

/** Exit status of `sconce doctor`: 0 if nothing needs a person, else 1. */
export const doctorStatus = ({ state }: StatusDocument, rows: readonly DoctorRow[]): 0 | 1 =>
  state === 'needs_you' || rows.some((row) => row.state === 'needs_you') ? 1 : 0;

/** The same without a running agent: a real panel that has nothing to control needs a person too. */
export const probeStatus = (status: StatusDocument, rows: readonly DoctorRow[]): 0 | 1 =>
  worksSomething(status) || status.panel.profile.simulated ? doctorStatus(status, rows) : 1;
