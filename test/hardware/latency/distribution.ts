/** How long touches took, in milliseconds. */
export interface Distribution {
  readonly count: number;
  readonly min: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

/** A touch that took longer than so many times the median is an outlier. */
const OUTLIER = 10;

/** The distribution of times, by nearest rank. Throws where there is none. */
export function distributionOf(times: readonly number[]): Distribution {
  const sorted = times.toSorted((a, b) => a - b);
  const rank = (part: number): number => {
    const value = sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)];
    if (value === undefined) throw new Error('nothing was measured');
    return value;
  };
  return { count: sorted.length, min: rank(0), p50: rank(0.5), p90: rank(0.9), p99: rank(0.99), max: rank(1) };
}

const columns = ['min', 'p50', 'p90', 'p99', 'max'] as const;
const row = (name: string, cells: readonly string[]): string =>
  [name.padEnd(22), ...cells.map((cell) => cell.padStart(9))].join('');

/** The lines of a table with two distributions, and how many times as long the first one takes. */
export const distributionTable = (agent: Distribution, bare: Distribution): readonly string[] => [
  row('touch to light, ms', columns),
  row(
    `agent, n=${agent.count}`,
    columns.map((name) => agent[name].toFixed(1)),
  ),
  row(
    `bare loop, n=${bare.count}`,
    columns.map((name) => bare[name].toFixed(1)),
  ),
  row(
    'ratio',
    columns.map((name) => (agent[name] / bare[name]).toFixed(1)),
  ),
];

/** Whether any took more than ten times the median, in one sentence. */
export function outliersOf(name: string, times: readonly number[]): string {
  const { p50, max } = distributionOf(times);
  const beyond = times.filter((ms) => ms > OUTLIER * p50).length;
  const longest = `the longest took ${(max / p50).toFixed(1)} times the median`;
  return beyond === 0
    ? `${name}: none took more than ${OUTLIER} times the median; ${longest}`
    : `${name}: ${beyond} of ${times.length} took more than ${OUTLIER} times the median; ${longest}`;
}
