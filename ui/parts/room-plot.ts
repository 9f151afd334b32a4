import type { LightHistory } from '#machines/auto-brightness/document.ts';

/** Five minutes of the chart. */
export type Point = LightHistory['points'][number];

/** Several points of the chart as one; null where nothing was measured. */
export interface Fold {
  /** Its start, in buckets since the start of the chart. */
  readonly at: number;
  readonly mean: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly expected: number | null;
  readonly level: number | null;
}

/** Height of a plot in its own units; its width is one unit for each bucket of the answer. */
export const PLOT_HEIGHT = 400;

const logOf = (lux: number): number => Math.log1p(Math.max(0, lux));

const known = (values: readonly (number | null)[]): readonly number[] =>
  values.filter((value): value is number => value !== null);

function meanOf(values: readonly (number | null)[]): number | null {
  const all = known(values);
  return all.length === 0 ? null : all.reduce((sum, value) => sum + value, 0) / all.length;
}

/** The mean as the eye sees it: of the logarithms. */
function lightOf(values: readonly (number | null)[]): number | null {
  const log = meanOf(known(values).map(logOf));
  return log === null ? null : Math.expm1(log);
}

function boundOf(values: readonly (number | null)[], bound: (...all: number[]) => number): number | null {
  const all = known(values);
  return all.length === 0 ? null : bound(...all);
}

/** The start of the chart, in minutes since the Unix epoch, on a bucket; its last bucket is the current one. */
export function startOf({ now_epoch_minute: now, hours, bucket_minutes: bucket }: LightHistory): number {
  return (Math.floor(now / bucket) + 1) * bucket - hours * 60;
}

/** The width of the chart in buckets. */
export const widthOf = ({ hours, bucket_minutes: bucket }: LightHistory): number => Math.ceil((hours * 60) / bucket);

/** Joins each `size` neighbouring buckets. */
export function foldsOf(history: LightHistory, size: number): readonly Fold[] {
  const start = startOf(history);
  const groups = new Map<number, Point[]>();
  for (const point of history.points) {
    const place = Math.floor((point.epochMinute - start) / history.bucket_minutes / size) * size;
    if (place < 0) continue;
    const group = groups.get(place);
    if (group === undefined) groups.set(place, [point]);
    else group.push(point);
  }
  return Array.from(groups, ([at, points]) => ({
    at,
    mean: lightOf(points.map((point) => point.observedMeanLux)),
    min: boundOf(
      points.map((point) => point.minLux),
      Math.min,
    ),
    max: boundOf(
      points.map((point) => point.maxLux),
      Math.max,
    ),
    expected: lightOf(points.map((point) => point.expectedLux)),
    level: meanOf(points.map((point) => point.proposedBrightness)),
  }));
}

/** The light at the top of the chart: the first power of ten above all of it, 100 to 100000 lx. */
export function ceilingOf({ points }: LightHistory): number {
  let most = 0;
  for (const { maxLux, expectedLux } of points) most = Math.max(most, maxLux ?? 0, expectedLux ?? 0);
  return Math.min(100_000, Math.max(100, 10 ** Math.ceil(Math.log10(most + 1))));
}

/** The height of some light, from the top in plot units. */
export const heightOf = (lux: number, ceiling: number): number =>
  Math.round(PLOT_HEIGHT * (1 - Math.min(1, logOf(lux) / logOf(ceiling))));

/** The height of a level of 0 to 255, from the top in plot units. */
export const levelHeight = (level: number): number => Math.round(PLOT_HEIGHT * (1 - level / 255));

type Dot = readonly [x: number, y: number];

/** The stretches without a gap. */
function runsOf(dots: readonly (Dot | null)[], size: number): readonly (readonly Dot[])[] {
  const runs: Dot[][] = [];
  let last: Dot | null = null;
  for (const dot of dots) {
    if (dot !== null) {
      if (last === null || dot[0] - last[0] > size) runs.push([dot]);
      else runs[runs.length - 1]?.push(dot);
    }
    last = dot;
  }
  return runs;
}

/** Relative steps, which are short. */
function stepsOf(dots: readonly Dot[], from: Dot): string {
  let [x, y] = from;
  let path = '';
  for (const [toX, toY] of dots) {
    const [across, down] = [toX - x, toY - y];
    path += down === 0 ? `h${across}` : `l${across}${down < 0 ? '' : ' '}${down}`;
    [x, y] = [toX, toY];
  }
  return path;
}

/** The path of one value; one alone is a short stroke. */
export function lineOf(folds: readonly Fold[], size: number, height: (fold: Fold) => number | null): string {
  const dots = folds.map((fold): Dot | null => {
    const y = height(fold);
    return y === null ? null : [fold.at, y];
  });
  return runsOf(dots, size)
    .map(([first = [0, 0], ...others]) => `M${first[0]} ${first[1]}${stepsOf(others, first)}h${size}`)
    .join('');
}

/** The outline of what lies between two values. */
export function bandOf(
  folds: readonly Fold[],
  size: number,
  top: (fold: Fold) => number | null,
  bottom: (fold: Fold) => number | null,
): string {
  const both = folds.flatMap((fold): readonly { readonly dot: Dot; readonly low: number }[] => {
    const [high, low] = [top(fold), bottom(fold)];
    return high === null || low === null ? [] : [{ dot: [fold.at, high], low }];
  });
  const lows = new Map(both.map(({ dot, low }) => [dot[0], low]));
  return runsOf(
    both.map(({ dot }) => dot),
    size,
  )
    .map((run) => {
      const [first = [0, 0] as const] = run;
      const end: Dot = [(run[run.length - 1]?.[0] ?? 0) + size, run[run.length - 1]?.[1] ?? 0];
      const back = run.map((_, index): Dot => {
        const [x] = run[run.length - 1 - index] ?? first;
        return [x, lows.get(x) ?? 0];
      });
      const corner: Dot = [end[0], back[0]?.[1] ?? 0];
      return `M${first[0]} ${first[1]}${stepsOf([...run.slice(1), end, corner, ...back], first)}z`;
    })
    .join('');
}

/** A day in the chart, in buckets since its start. */
export interface PlotDay {
  readonly day: number;
  readonly from: number;
  readonly to: number;
  readonly points: readonly Point[];
}

/** The days of the chart, the oldest first, cut by the place's midnights. */
export function daysOf(history: LightHistory): readonly PlotDay[] {
  const start = startOf(history);
  const days = new Map<number, Point[]>();
  for (const point of history.points) {
    const points = days.get(point.localDay);
    if (points === undefined) days.set(point.localDay, [point]);
    else points.push(point);
  }
  const rows = Array.from(days, ([day, points]) => ({
    day,
    points,
    from: Math.max(0, ((points[0]?.epochMinute ?? start) - start) / history.bucket_minutes),
  }));
  return rows.map((row, index) => ({ ...row, to: rows[index + 1]?.from ?? widthOf(history) }));
}

/** The English name of a day of the week, three letters. */
export const weekday = (day: number): string => new Date(day * 86_400_000).toUTCString().slice(0, 3);

/** Day and month: "26 Nov". */
export const dayAndMonth = (day: number): string => new Date(day * 86_400_000).toUTCString().slice(5, 11);
