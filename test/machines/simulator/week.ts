import type { BrightnessSettings, Level } from '#machines/auto-brightness/events.ts';
import { fitMinutes } from '#machines/auto-brightness/fit.ts';
import { fractionOf, levelFor } from '#machines/auto-brightness/curve.ts';
import { followRoom } from '#machines/auto-brightness/follow.ts';
import { logOf } from '#machines/auto-brightness/lux.ts';
import { DAY_MS, lightOf, playRoom } from '#machines/simulator/played-room.ts';

const settings: BrightnessSettings = { minimumPercent: 4, maximumPercent: 100, responsePercent: 50 };

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 8, 14);
const DAYS = 8;

/** One hour of the generated days. */
interface Hour {
  /** Counts from the midnight at which the days begin. */
  readonly hour: number;
  /** Means of the hour in lx. */
  readonly observed: number;
  readonly expected: number;
  /** At the end of the hour. */
  readonly level: Level;
  /** How often the level turned from rising to falling, or back. */
  readonly turns: number;
  /** What the fixed curve alone would do to the same light. */
  readonly fixedTurns: number;
}

/** Sums of |level - ideal| over the steps of the last day, by the hour of 360 steps: level hours. */
interface Errors {
  readonly learned: number;
  readonly fixed: number;
}

/** Counts how often the values turn from rising to falling, or back. */
class Turns {
  #value: number | null = null;
  #way = 0;
  count = 0;

  take(value: number): void {
    const way = Math.sign(value - (this.#value ?? value));
    this.#value = value;
    if (way === 0) return;
    if (this.#way === -way) this.count += 1;
    this.#way = way;
  }

  /** The count until now; the next hour begins at 0. */
  read(): number {
    const { count } = this;
    this.count = 0;
    return count;
  }
}

interface Step {
  readonly lux: number;
  readonly steadyLux: number;
  readonly level: Level;
}

/** The 5th and 95th percentile of ln(1 + lx). */
function rangeOf(logs: readonly number[]): { readonly low: number; readonly high: number } {
  const sorted = Float64Array.from(logs).toSorted();
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return { low: at(0.05), high: at(0.95) };
}

/**
 * The distance from an ideal level, which knows more than any sensor: the light under the day's usual clouds, with
 * lamps and curtains, but without passing clouds and noise, and the darkest and brightest light between which it really
 * moves in those days (5th and 95th percentile). Between these the range of the screen is spread evenly in ln(1 + lx):
 * in a room that never has 10,000 lx the screen should still use all of it, which the fixed curve cannot know. Both
 * sides get the same light. Time in which a hand counts is left out.
 *
 * The fixed curve tracks today's light more closely, but with a hundred turns an hour, and spread as for any room:
 * `shape`, which is printed beside it, judges both by the fixed curve at the steady light.
 */
function errorsOf(steps: readonly Step[], ideal: (step: Step) => number): Errors {
  let learned = 0;
  let fixed = 0;
  for (const step of steps) {
    const wanted = ideal(step);
    learned += Math.abs(step.level - wanted);
    fixed += Math.abs(levelFor(fractionOf(logOf(step.lux), null), settings) - wanted);
  }
  return { learned: learned / 360, fixed: fixed / 360 };
}

export type Week = ReturnType<typeof playWeek>;

/** A generated week, and one day more, as a real panel would decide about it. */
export function playWeek(seed: number) {
  const hours: Hour[] = [];
  const last: Step[] = [];
  const steadyLogs: number[] = [];
  const [turns, fixedTurns] = [new Turns(), new Turns()];
  let [observed, expected, count] = [0, 0, 0];
  const played = playRoom(
    { follow: followRoom, fit: fitMinutes },
    { light: lightOf(seed, START, DAYS), settings, minutes: [], fitEveryMs: HOUR_MS },
  );
  for (const step of played) {
    if (step === null) continue;
    const { at, lux, steadyLux } = step.light;
    const level = step.view?.appliedTarget ?? 0;
    turns.take(level);
    fixedTurns.take(levelFor(fractionOf(logOf(lux), null), settings));
    observed += lux;
    expected += step.view?.expectedLux ?? 0;
    count += 1;
    steadyLogs.push(logOf(steadyLux));
    if (at >= START + (DAYS - 1) * DAY_MS && step.view?.state === 'following') last.push({ lux, steadyLux, level });
    if (count < 360) continue;
    hours.push({
      hour: hours.length,
      observed: observed / count,
      expected: expected / count,
      level,
      turns: turns.read(),
      fixedTurns: fixedTurns.read(),
    });
    [observed, expected, count] = [0, 0, 0];
  }
  const range = { ...rangeOf(steadyLogs), weight: 1 };
  return {
    hours,
    errors: errorsOf(last, ({ steadyLux }) => levelFor(fractionOf(logOf(steadyLux), range), settings)),
    shape: errorsOf(last, ({ steadyLux }) => levelFor(fractionOf(logOf(steadyLux), null), settings)),
  };
}

const bar = (log: number): number => Math.round(Math.min(1, log / Math.log1p(2000)) * 40);

/** One line an hour: observed and expected light (o, e; x for both) up to 2,000 lx, level, turns. */
export const chartOf = (hours: readonly Hour[]): string =>
  hours
    .map(({ hour, observed, expected, level, turns, fixedTurns }) => {
      const [seen, usual] = [bar(logOf(observed)), bar(logOf(expected))];
      const cells = Array.from({ length: 41 }, (_, cell) => {
        if (cell === seen) return cell === usual ? 'x' : 'o';
        return cell === usual ? 'e' : ' ';
      });
      const day = `${Math.floor(hour / 24) + 1}. ${String(hour % 24).padStart(2, '0')}`;
      return `${day} |${cells.join('')}| ${String(level).padStart(3)} turns ${turns} (fixed curve ${fixedTurns})`;
    })
    .join('\n');
