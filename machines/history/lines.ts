import type { Milliseconds } from '../kit/units.ts';
import type { HistoryEntry } from './events.ts';

/** How long after its last sign an outage still gets further signs: Home Assistant takes minutes to start. */
const OUTAGE_MS: Milliseconds = 5 * 60_000;
/** Longest pause between two saves that are one line: that of a person who corrects a field until it is accepted. */
const CORRECTION_MS: Milliseconds = 5 * 60_000;
/** Longest pause between the end of one run of Sconce and the next that is called a restart: that of an update. */
const RESTART_MS: Milliseconds = 5 * 60_000;
/** How long after a start its first connections belong to it. */
const START_MS: Milliseconds = 2 * 60_000;

/** What a line says that stands for several entries. */
type JoinedCode =
  /** Home Assistant was restarted. */
  | 'home-restarted'
  /** Home Assistant, the broker or both were unreachable for a while, or still are. */
  | 'home-was-unreachable'
  | 'home-unreachable'
  | 'broker-was-lost'
  | 'broker-lost'
  | 'both-were-unreachable'
  | 'both-unreachable'
  /** Sconce was stopped and started again. */
  | 'agent-restarted'
  /** A kind of program watched the camera for a while. */
  | 'camera-watched';

/** One line of the history as it is read: an entry, or several that are one event. */
export interface HistoryLine extends HistoryEntry {
  /** Null for a single entry. */
  readonly joined: { readonly code: JoinedCode; readonly lastedMs: Milliseconds } | null;
}

/** Entries of one event, oldest first. */
interface Episode {
  readonly what: 'outage' | 'run' | 'watch' | 'other';
  readonly entries: HistoryEntry[];
}

/** Whose absence an entry is a sign of, and whether it begins or ends there; null for all others. */
function signOf({ kind, code }: HistoryEntry): { readonly of: 'home' | 'broker'; readonly ends: boolean } | null {
  switch (`${kind}.${code}`) {
    case 'home-assistant.shutting_down':
    case 'home-assistant.connection_lost':
    case 'home-assistant.starting':
    case 'platform.lost':
    case 'dashboard.away':
      return { of: 'home', ends: false };
    case 'home-assistant.back_online':
    case 'platform.connected':
    case 'dashboard.back':
      return { of: 'home', ends: true };
    case 'broker.lost':
      return { of: 'broker', ends: false };
    case 'broker.connected':
      return { of: 'broker', ends: true };
    default:
      return null;
  }
}

const hasEnded = ({ entries }: Episode): boolean => entries.some((entry) => signOf(entry)?.ends === true);
const latest = ({ entries }: Episode): number => Math.max(...entries.map(({ at }) => at));

/** True if the entry ends what a kind of program watched: it left, or the camera was turned off. */
const isWatchEnd = ({ entries }: Episode, { kind, code, by }: HistoryEntry): boolean =>
  entries.length === 1 && kind === 'camera' && code === 'left' && by === entries[0]?.by;

/** True if the entry belongs to an episode of earlier entries. */
function continues(episode: Episode, entry: HistoryEntry): boolean {
  const sign = signOf(entry);
  const pause = entry.at - latest(episode);
  if (episode.what === 'outage') return sign !== null && (pause <= OUTAGE_MS || (sign.ends && !hasEnded(episode)));
  if (episode.what === 'other') return false;
  if (episode.what === 'watch') return isWatchEnd(episode, entry);
  const start = episode.entries.findLast(({ kind }) => kind === 'agent');
  if (entry.kind === 'agent') return entry.code === 'started' && start?.code === 'stopped' && pause <= RESTART_MS;
  return start?.code.startsWith('started') === true && sign?.ends === true && entry.at - start.at <= START_MS;
}

function begun(entry: HistoryEntry): Episode {
  const sign = signOf(entry);
  const isWatch = entry.kind === 'camera' && entry.code === 'watched';
  const what = entry.kind === 'agent' ? 'run' : isWatch ? 'watch' : sign !== null && !sign.ends ? 'outage' : 'other';
  return { what, entries: [entry] };
}

function codeOf({ entries }: Episode): JoinedCode {
  const signs = entries.map(signOf);
  const [home, broker] = (['home', 'broker'] as const).map((of) => signs.some((sign) => sign?.of === of && !sign.ends));
  const over = signs.at(-1)?.ends === true;
  if (home === true && broker === true) return over ? 'both-were-unreachable' : 'both-unreachable';
  if (home !== true) return over ? 'broker-was-lost' : 'broker-lost';
  if (!over) return 'home-unreachable';
  const restarted = entries.some(
    ({ kind, code }) => kind === 'home-assistant' && (code === 'shutting_down' || code === 'starting'),
  );
  return restarted ? 'home-restarted' : 'home-was-unreachable';
}

function lineOf(episode: Episode): HistoryLine {
  const { entries, what } = episode;
  const [first] = entries;
  if (first === undefined) throw new Error('An episode has at least one entry.');
  const at = Math.min(...entries.map((entry) => entry.at));
  if (what === 'other' || entries.length === 1) return { ...first, joined: null };
  if (what === 'outage') {
    // One of its signs may have come more often, without the others.
    const times = Math.min(...entries.map((entry) => entry.times));
    return { ...first, at, times, joined: { code: codeOf(episode), lastedMs: latest(episode) - at } };
  }
  if (what === 'watch') return { ...first, at, joined: { code: 'camera-watched', lastedMs: latest(episode) - at } };
  const started = entries.find(({ code }) => code.startsWith('started'));
  return entries[0]?.code === 'stopped' && started !== undefined
    ? { ...first, joined: { code: 'agent-restarted', lastedMs: started.at - first.at } }
    : { ...first, joined: null };
}

/** True if both say the same of the same settings, without the values, and the second soon follows the first. */
const repeats = (before: HistoryLine, { kind, code, by, changes, at }: HistoryLine): boolean =>
  kind === 'configuration' &&
  before.kind === kind &&
  before.code === code &&
  before.by === by &&
  (before.changes ?? changes) === undefined &&
  at - before.at <= CORRECTION_MS;

/** Saves of the same settings in a row as one line, at the time of the last. */
function withoutRepeats(lines: readonly HistoryLine[]): readonly HistoryLine[] {
  const kept: HistoryLine[] = [];
  for (const line of lines) {
    const before = kept.at(-1);
    if (before !== undefined && repeats(before, line))
      kept.splice(-1, 1, { ...line, times: before.times + line.times });
    else kept.push(line);
  }
  return kept;
}

/**
 * The entries, oldest first, as lines: a restart of Home Assistant, of the broker or of Sconce leaves up to ten
 * entries and is one line, and so are saves of the same settings in a row. What else happened meanwhile keeps its own
 * line, and a line stands where its event began.
 */
export function linesOf(entries: readonly HistoryEntry[]): readonly HistoryLine[] {
  const episodes: Episode[] = [];
  // An outage is not followed across a start of Sconce, which begins by noting every connection.
  let [outage, run]: (Episode | undefined)[] = [];
  // What of them is still open, by the kind of the program that watches.
  const watches = new Map<string | null, Episode>();
  for (const entry of entries) {
    const open = [outage, run, watches.get(entry.by)].find((one) => one !== undefined && continues(one, entry));
    if (open !== undefined) {
      open.entries.push(entry);
      continue;
    }
    const next = begun(entry);
    if (next.what === 'outage') outage = next;
    if (next.what === 'run') [outage, run] = [undefined, next];
    if (next.what === 'watch') watches.set(entry.by, next);
    if (next.what === 'run') watches.clear();
    episodes.push(next);
  }
  return withoutRepeats(episodes.map(lineOf));
}
