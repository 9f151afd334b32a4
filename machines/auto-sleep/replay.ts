import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { PresenceSource, Replay, ReplaySegment, SourceLane } from './events.ts';
import { noPresence, presenceAfterFeed, presenceVerdict, type Summary, summaryOfSources } from './presence.ts';

/** Played before what is shown: no lease from before it is longer. */
export const WARMUP_MS: Milliseconds = 3_600_000;
/** Recorded states of all sources together. */
export const ROWS_MAX = 20_000;

const LANES_MAX = 32;
const SPAN_MAX_MS: Milliseconds = 172_800_000;
const MINUTE_MS: Milliseconds = 60_000;

type State = PresenceSource['state'];

/** One recorded state; `lane` is an index. */
interface Row {
  readonly at: EpochMs;
  readonly lane: number;
  readonly state: State;
}

const verdicts = { hold: 'hold_awake', sleep: 'allow_sleep', inhibited: 'inhibited' } as const;

/** What was recorded before `to`, by time, the newest 20,000. Of two states at one moment the later one counts. */
function rowsOf(lanes: readonly SourceLane[], to: EpochMs): readonly Row[] {
  const rows: Row[] = [];
  for (const [lane, { states }] of lanes.entries())
    for (const { at, state } of states) if (at < to) rows.push({ at, lane, state });
  return rows.toSorted((a, b) => a.at - b.at).slice(-ROWS_MAX);
}

/** The decisions of a panel that has these sources, and neither touches nor hands nor hours. */
class ReplayedPanel {
  /** Each source in each state, made once. */
  readonly #known: readonly Readonly<Record<State, PresenceSource>>[];
  readonly #sources: PresenceSource[];
  readonly #leaseMs: Milliseconds;
  #presence = noPresence;
  #summary: Summary | null = null;
  #isAsleep = false;

  constructor(lanes: readonly SourceLane[], leaseMs: Milliseconds) {
    this.#known = lanes.map(({ key }) => ({
      on: { key, state: 'on' },
      off: { key, state: 'off' },
      unavailable: { key, state: 'unavailable' },
    }));
    this.#sources = this.#known.map(({ unavailable }) => unavailable);
    this.#leaseMs = leaseMs;
  }

  /** Unavailable before the first row. */
  stateOf(lane: number): State {
    return this.#sources[lane]?.state ?? 'unavailable';
  }

  /** False if the row changes nothing. */
  take({ lane, state }: Row): boolean {
    const source = this.#known[lane]?.[state];
    if (source === undefined || source === this.#sources[lane]) return false;
    this.#sources[lane] = source;
    return true;
  }

  feed(at: EpochMs): void {
    const summary = summaryOfSources(this.#sources);
    if (summary === this.#summary) return;
    this.#summary = summary;
    // Whether it sleeps at this moment decides if sources that come back grant a lease.
    this.decide(at);
    const feed = { kind: 'live', sources: [...this.#sources] } as const;
    const { generation, revision } = this.#presence.position;
    const position = { generation, revision: revision + 1 };
    this.#presence = presenceAfterFeed(this.#presence, feed, position, at, this.#leaseMs, this.#isAsleep);
  }

  decide(at: EpochMs): Pick<ReplaySegment, 'verdict' | 'reason'> {
    const { verdict, reason } = presenceVerdict(this.#presence, at);
    if (verdict !== 'inhibited') this.#isAsleep = verdict === 'sleep';
    return { verdict: verdicts[verdict], reason };
  }
}

type Shown = { readonly at: EpochMs; readonly state: State }[];

/** One pass over the rows: each moment is one feed, each minute one decision. */
class Playback {
  readonly #panel: ReplayedPanel;
  readonly #rows: readonly Row[];
  #next = 0;

  constructor(panel: ReplayedPanel, rows: readonly Row[]) {
    this.#panel = panel;
    this.#rows = rows;
  }

  /** Everything up to `at` as one feed; `onChanged` is called with each row that changes its source. */
  #takeUntil(at: EpochMs, onChanged?: (row: Row) => void): boolean {
    let isChanged = false;
    for (let row = this.#rows[this.#next]; row !== undefined && row.at <= at; row = this.#rows[this.#next]) {
      this.#next += 1;
      if (!this.#panel.take(row)) continue;
      isChanged = true;
      onChanged?.(row);
    }
    return isChanged;
  }

  begin(at: EpochMs): void {
    this.#takeUntil(at);
    this.#panel.feed(at);
  }

  passTo(now: EpochMs, onChanged?: (row: Row) => void): void {
    for (let row = this.#rows[this.#next]; row !== undefined && row.at <= now; row = this.#rows[this.#next])
      if (this.#takeUntil(row.at, onChanged)) this.#panel.feed(row.at);
  }
}

function addShown(shown: Shown, { at, state }: Shown[number]): void {
  if (shown.at(-1)?.at === at) shown.pop();
  if (shown.at(-1)?.state !== state) shown.push({ at, state });
}

/**
 * What the same functions would have decided from `from` to `to`, minute by minute, with an hour played before. At most
 * the newest 48 h, the first 32 sources and the newest 20,000 rows; rows may be unsorted, doubled, or of the future.
 */
export function replayOf(input: {
  readonly lanes: readonly SourceLane[];
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly leaseMs: Milliseconds;
}): Replay {
  const { to, leaseMs } = input;
  const from = Math.max(input.from, to - SPAN_MAX_MS);
  const lanes = input.lanes.slice(0, LANES_MAX);
  const panel = new ReplayedPanel(lanes, leaseMs);
  const playback = new Playback(panel, rowsOf(lanes, to));
  const segments: ReplaySegment[] = [];
  playback.begin(from - WARMUP_MS);
  playback.passTo(from);
  const shown = lanes.map((_, lane): Shown => (from < to ? [{ at: from, state: panel.stateOf(lane) }] : []));
  const show = (row: Row): void => addShown(shown[row.lane] ?? [], row);
  for (let now = from; now < to; now += MINUTE_MS) {
    playback.passTo(now, show);
    const decided = panel.decide(now);
    const last = segments.at(-1);
    const isSame = last?.verdict === decided.verdict && last.reason === decided.reason;
    const begins = isSame ? segments.pop() : undefined;
    segments.push({ from: begins?.from ?? now, to: Math.min(to, now + MINUTE_MS), ...decided });
  }
  playback.passTo(to, show);
  return { from, to, leaseMs, lanes: lanes.map(({ key }, lane) => ({ key, states: shown[lane] ?? [] })), segments };
}
