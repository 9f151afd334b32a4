import type { Milliseconds } from '../kit/units.ts';
import { numbers } from './room-light.ts';

/** From 18:00 to 02:00. */
export const EVENING_MS: Milliseconds = 28_800_000;

/** Sensors of the generated room: one that sees a person who sits still, and one that only sees movement. */
export const eveningSensors = ['occupancy', 'motion'] as const;
export type EveningSensor = (typeof eveningSensors)[number];

/** What happens, `at` milliseconds after 18:00. */
export type EveningEvent =
  | {
      readonly type: 'source';
      readonly at: Milliseconds;
      readonly sensor: EveningSensor;
      readonly state: 'on' | 'off';
    }
  | { readonly type: 'touched'; readonly at: Milliseconds; readonly isWave: boolean }
  /** A hand switches the screen off. */
  | { readonly type: 'off'; readonly at: Milliseconds };

/** When the person is in the room, in milliseconds after 18:00. */
interface Stay {
  readonly from: Milliseconds;
  readonly to: Milliseconds;
}

export interface Evening {
  readonly seed: number;
  readonly stays: readonly Stay[];
  /** By time; both sensors are off before the first. */
  readonly events: readonly EveningEvent[];
}

const SECOND: Milliseconds = 1000;
const MINUTE: Milliseconds = 60_000;

/** Random whole milliseconds between two bounds. */
type Between = (low: Milliseconds, high: Milliseconds) => Milliseconds;

/** Bedtime, between 22:30 and 00:15. */
const BEDTIME = [270 * MINUTE, 375 * MINUTE] as const;

/** Home between 18:10 and 18:50, in and out until bedtime, and on most nights once more for some water. */
function staysOf(between: Between, isNightVisited: boolean): readonly Stay[] {
  const bedtime = between(...BEDTIME);
  const stays: Stay[] = [];
  let from = between(10 * MINUTE, 50 * MINUTE);
  while (from < bedtime - 10 * MINUTE) {
    const to = Math.min(bedtime, from + between(6 * MINUTE, 80 * MINUTE));
    stays.push({ from, to });
    from = to + between(2 * MINUTE, 45 * MINUTE);
  }
  const water = Math.max(bedtime, stays.at(-1)?.to ?? 0) + between(30 * MINUTE, 80 * MINUTE);
  return isNightVisited ? [...stays, { from: water, to: water + between(MINUTE, 4 * MINUTE) }] : stays;
}

const turned = (sensor: EveningSensor, at: Milliseconds, state: 'on' | 'off'): EveningEvent => ({
  type: 'source',
  at,
  sensor,
  state,
});

/** On with a person until half a minute to a minute after they have left; a short absence may not show. */
function occupancy(stays: readonly Stay[], between: Between): readonly EveningEvent[] {
  return stays.flatMap(({ from, to }) => [
    turned('occupancy', from + between(SECOND, 3 * SECOND), 'on'),
    turned('occupancy', to + between(30 * SECOND, MINUTE), 'off'),
  ]);
}

/** On for half a minute with each movement, the first on entering; up to six minutes of stillness between. */
function motion({ from, to }: Stay, between: Between): readonly EveningEvent[] {
  const events: EveningEvent[] = [];
  for (let at = from + between(SECOND, 2 * SECOND); at < to;) {
    const off = at + between(20 * SECOND, 40 * SECOND);
    events.push(turned('motion', at, 'on'), turned('motion', off, 'off'));
    at = off + between(10 * SECOND, 6 * MINUTE);
  }
  return events;
}

/** Each 4 to 25 min some touches in a row, or a wave. */
function touches({ from, to }: Stay, between: Between): readonly EveningEvent[] {
  const events: EveningEvent[] = [];
  for (let at = from + between(5 * SECOND, 15 * MINUTE); at < to; at += between(4 * MINUTE, 25 * MINUTE)) {
    const isWave = between(0, 5) === 0;
    const count = isWave ? 1 : between(1, 4);
    for (let touch = 0; touch < count; touch += 1) {
      const touched = at + touch * 2 * SECOND;
      if (touched < to) events.push({ type: 'touched', at: touched, isWave });
    }
  }
  return events;
}

/**
 * An evening of one person who comes and goes, determined by a whole number: what the sensors of the room report, the
 * touches, and on most evenings a hand that switches the screen off at bedtime.
 */
export function eveningOf(seed: number): Evening {
  const next = numbers(seed);
  const between: Between = (low, high) => Math.floor(low + next() * (high - low));
  const isNightVisited = next() < 0.7;
  const isSwitchedOff = next() < 0.7;
  const stays = staysOf(between, isNightVisited);
  const last = stays.at(isNightVisited ? -2 : -1);
  const events = [
    ...occupancy(stays, between),
    ...stays.flatMap((stay) => [...motion(stay, between), ...touches(stay, between)]),
  ];
  if (last === undefined || !isSwitchedOff) return { seed, stays, events: byTime(events) };
  const off: EveningEvent = { type: 'off', at: last.to - between(5 * SECOND, 20 * SECOND) };
  // No touch lights the screen again on the way out.
  const before = events.filter(({ type, at }) => type !== 'touched' || at < off.at || at > last.to);
  return { seed, stays, events: byTime([...before, off]) };
}

const byTime = (events: readonly EveningEvent[]): readonly EveningEvent[] => events.toSorted((a, b) => a.at - b.at);
