import type { SleepHistory } from '#machines/auto-sleep/document.ts';
import { t } from '../strings/t.ts';
import { clock } from '../strings/times.ts';
import { durationWords } from './room-words.ts';

/** Units across a lane: finer than its pixels. */
const WIDTH = 1000;
const HEIGHT = 24;
/** Top and height of a stretch: the kinds differ in shape as well as in colour. */
const bands = { on: [0, 24], off: [10, 4], away: [6, 12] } as const;

/** What a lane shows: a person or awake, nothing of it, or not known. */
type Kind = 'on' | 'off' | 'away';

interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly kind: Kind;
}

interface Lane {
  readonly name: string;
  readonly stretches: readonly Stretch[];
}

interface Span {
  readonly from: number;
  readonly to: number;
}

const stateKinds = { on: 'on', off: 'off', unavailable: 'away' } as const;
const verdictKinds = { hold_awake: 'on', allow_sleep: 'off', inhibited: 'away' } as const;

/** The stretches of one sensor, each until the next begins. */
export const sensorStretches = (
  states: SleepHistory['source_lanes'][number]['states'],
  { from, to }: Span,
): readonly Stretch[] =>
  states
    .map(({ epoch_ms: at, state }, index) => ({
      from: Math.max(from, at),
      to: Math.min(to, states[index + 1]?.epoch_ms ?? to),
      kind: stateKinds[state],
    }))
    .filter((stretch) => stretch.to > stretch.from);

const total = (stretches: readonly Stretch[], kind: Kind): number =>
  stretches.reduce((sum, one) => (one.kind === kind ? sum + one.to - one.from : sum), 0);

/** One path for all stretches of a kind; what is closer than a unit is joined. */
export function pathOf(stretches: readonly Stretch[], kind: Kind, { from, to }: Span): string {
  const unitOf = (at: number): number => Math.round(((at - from) / (to - from)) * WIDTH);
  const [y, height] = bands[kind];
  const joined: [start: number, end: number][] = [];
  for (const one of stretches) {
    if (one.kind !== kind) continue;
    const [start, end] = [unitOf(one.from), unitOf(one.to)];
    const last = joined[joined.length - 1];
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined.map(([start, end]) => `M${start} ${y}H${Math.max(start + 1, end)}v${height}H${start}z`).join('');
}

const Bar = ({ stretches, span }: { readonly stretches: readonly Stretch[]; readonly span: Span }) => (
  <svg class="lane" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
    {(['off', 'away', 'on'] as const).map((kind) => (
      <path key={kind} class={`lane-${kind}`} d={pathOf(stretches, kind, span)} />
    ))}
  </svg>
);

const lengthWords = (ms: number): string => (ms < 30_000 ? t('room.last.nothing') : durationWords(ms));

function laneWords({ name, stretches }: Lane, { from, to }: Span): string {
  const [on, away] = [total(stretches, 'on'), total(stretches, 'away')];
  const words = { name, on: lengthWords(on), all: durationWords(to - from), away: lengthWords(away) };
  return away < 30_000 ? t('room.last.lane', words) : t('room.last.lane_away', words);
}

function decidedWords(stretches: readonly Stretch[]): string {
  const [on, off, away] = (['on', 'off', 'away'] as const).map((kind) => lengthWords(total(stretches, kind)));
  return t('room.last.decided_label', { on: on ?? '', off: off ?? '', away: away ?? '' });
}

const Key = ({ kind }: { readonly kind: Kind }) => (
  <li>
    <svg class="plot-key" viewBox={`0 0 28 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path class={`lane-${kind}`} d={`M0 ${bands[kind][0]}h28v${bands[kind][1]}H0z`} />
    </svg>
    {t(`room.last.key.${kind}`)}
  </li>
);

interface RoomLastProps {
  readonly history: SleepHistory;
  /** Names of the sensors by key. */
  readonly names: ReadonlyMap<string, string>;
}

/** What each sensor saw over the last hours, and what followed from it. */
export function RoomLast({ history, names }: RoomLastProps) {
  const { window_start_epoch_ms: from, window_end_epoch_ms: to, learned_lease_ms: lease } = history;
  if (from === null || to === null) return null;
  const span = { from, to };
  const lanes = history.source_lanes.map(({ source_key: key, states }, index) => ({
    name: names.get(key) ?? t('room.last.sensor', { count: index + 1 }),
    stretches: sensorStretches(states, span),
  }));
  const decided = history.segments.map((one) => ({
    from: one.start_epoch_ms,
    to: one.end_epoch_ms,
    kind: verdictKinds[one.category],
  }));
  return (
    <figure class="lanes">
      <ul>
        {lanes.map((lane, index) => (
          <li key={index}>
            <span class="hint">{laneWords(lane, span)}</span>
            <Bar stretches={lane.stretches} span={span} />
          </li>
        ))}
        <li class="lane-decided">
          <span>{decidedWords(decided)}</span>
          <Bar stretches={decided} span={span} />
        </li>
      </ul>
      <p class="lane-times hint">
        {[from, (from + to) / 2, to].map((at) => (
          <span key={at}>{clock(at)}</span>
        ))}
      </p>
      <figcaption>
        <ul class="plot-keys">
          <Key kind="on" />
          <Key kind="off" />
          <Key kind="away" />
        </ul>
        {lease === null ? null : <p class="hint">{t('room.last.lease', { lease: durationWords(lease) })}</p>}
      </figcaption>
    </figure>
  );
}
