import { stripVTControlCharacters } from 'node:util';
import type { CapabilityRow } from '#machines/kit/status.ts';
import type { StatusDocument } from '#machines/status.ts';
import type { UpdateWords } from '#machines/updates/words.ts';
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

/** Words of what is missing that name nothing, or that each row says in its own way. */
const fillers: ReadonlySet<string> = new Set(['the', 'for', 'that', 'this', 'with', 'its', 'way', 'answer', 'answers']);

/** True if every thing that `missing` names is named in `detail` too, by the beginning of its word. */
export function restates(missing: string, detail: string): boolean {
  const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\d]{3,}/gu) ?? [];
  const said = wordsOf(detail);
  return wordsOf(missing)
    .filter((word) => !fillers.has(word))
    .every((word) => said.some((one) => one.startsWith(word.slice(0, 5))));
}

/** What is missing, if a person can act on it and does not know it from the detail. */
const missingOf = ({ state, missing, detail }: DoctorRow): string | null =>
  missing !== null && (state === 'needs_you' || state === 'working') && !restates(missing, detail) ? missing : null;

/** A sentence that ends in a list of what was tried, one of it a line; otherwise one line. */
function triedLines(text: string): readonly string[] {
  const [, sentence = text, list = ''] = /^(.*\bTried): (.+)\.$/s.exec(text) ?? [];
  const tried = list.split('; ');
  return tried.length > 1 ? [`${sentence}:`, ...tried.map((one) => `      ${one}`)] : [text];
}

function rowLines(row: DoctorRow, width: number): string[] {
  const [detail = '', ...tried] = triedLines(row.detail);
  const missing = missingOf(row);
  return [
    `  ${marks[row.state]} ${row.title.padEnd(width)} ${words[row.state].padEnd(9)} ${detail}`,
    ...tried,
    ...(missing === null ? [] : [`      missing: ${missing}`]),
    ...(row.fix === null ? [] : [`      fix:     ${row.fix.command}`]),
    ...(row.fix === null || row.fix.effect === null ? [] : [`               ${row.fix.effect}`]),
  ];
}

/** A title inside a sentence; a name or an abbreviation at its beginning keeps its capital. */
const within = (title: string): string =>
  title.replace(/^(?!Home Assistant|Zigbee)[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());

const worksLine = (titles: readonly string[]): string =>
  `  ${marks.working} ${titles.length} ${titles.length === 1 ? 'works' : 'work'}: ${titles.map(within).join(', ')}`;

const isSimplyWorking = (row: DoctorRow): boolean =>
  row.state === 'working' && row.missing === null && row.isInFull !== true;

/** Leaves out the end of a detail that a row above it has as its whole detail. */
function withoutRepeated(rows: readonly DoctorRow[]): readonly DoctorRow[] {
  return rows.map((row, at) => {
    const above = rows.slice(0, at).find(({ detail }) => row.detail.endsWith(` ${detail}`));
    return above === undefined ? row : { ...row, detail: row.detail.slice(0, -above.detail.length - 1) };
  });
}

/** The one table: what needs a person first, and what simply works folded into its last line. */
function tableLines(rows: readonly DoctorRow[]): string[] {
  const reported = rows.filter((row) => !isSimplyWorking(row));
  const folded = rows.filter(isSimplyWorking).map(({ title }) => title);
  const width = Math.min(widest, Math.max(0, ...reported.map(({ title }) => title.length)));
  const sorted = order.flatMap((state) => reported.filter((row) => row.state === state));
  return [
    ...withoutRepeated(sorted).flatMap((row) => rowLines(row, width)),
    ...(folded.length === 0 ? [] : [worksLine(folded)]),
  ];
}

function headline(rows: readonly DoctorRow[], otherwise: string): string {
  const titles = rows.filter(({ state }) => state === 'needs_you').map(({ title }) => title);
  // What a row says is not said above it too.
  const waiting = rows.find(({ state, detail }) => state === 'checking' && detail === otherwise);
  if (titles.length === 0) return waiting === undefined ? otherwise : `Waiting for ${waiting.title}.`;
  return titles.length === 1 ? `Needs you: ${titles[0]}.` : `Needs you for ${titles.length}: ${titles.join(', ')}.`;
}

/** What doctor reports on a panel. */
export interface Reported {
  /** The first line: where the agent is, or that there is none. */
  readonly opening: string;
  /** Where the setup of a panel is done that needs it; otherwise absent. */
  readonly setup?: string | null;
  /** True if an agent answered; otherwise this is about the machine only. */
  readonly isRunning: boolean;
  readonly status: StatusDocument;
  readonly rows: readonly DoctorRow[];
  /** Hints about the machine that need no action, one or two sentences each. */
  readonly notes?: readonly string[];
  /** The answer about updates; null if it was not asked for. */
  readonly updates?: UpdateWords | null;
  /** What only a person can check, one sentence each. */
  readonly byHand: readonly string[];
  /** The headline if no row needs a person. */
  readonly sentence: string;
}

const updateLines = ({ sentence, fix }: UpdateWords): readonly string[] => [
  `  ${sentence}`,
  ...(fix === null ? [] : [`      fix:     ${fix.command}`, `               ${fix.effect}`]),
];

/** The lines of `sconce doctor`: what needs a person first, then one table of everything. */
export function doctorLines(report: Reported): string[] {
  const { opening, setup = null, isRunning, status, rows, notes = [], updates = null, byHand, sentence } = report;
  const { version, system, profile } = status.panel;
  const about = `${version} on ${system === '' ? 'this machine' : system} (${profile.title})`;
  return [
    opening,
    isRunning ? `Version ${about}` : `Checking this machine instead: version ${about}`,
    ...(setup === null ? [] : [`Not set up yet: open ${setup} on your phone or computer.`]),
    headline(rows, sentence),
    '',
    ...tableLines(rows),
    ...(status.warnings.length + notes.length + byHand.length === 0 ? [] : ['']),
    ...[...status.warnings, ...notes].map((note) => `  Note: ${note}`),
    ...byHand.map((step) => `  Only you can tell: ${step}`),
    ...(updates === null ? [] : ['', ...updateLines(updates)]),
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

/**
 * Exit status of `sconce doctor` beside an agent: 0 if nothing needs a person, else 1. An absence that ends on its own,
 * such as a restart of Home Assistant, needs no one until the agent says so.
 */
export const doctorStatus = ({ state }: StatusDocument, rows: readonly DoctorRow[]): 0 | 1 =>
  state === 'needs_you' || rows.some((row) => row.state === 'needs_you') ? 1 : 0;
