import type { BrowserFact } from './events.ts';

/** Health of the page, from its newest probes. */
export type Health = 'unknown' | 'healthy' | 'slow' | 'hung' | 'blank' | 'stale';

/** The part of a probe that is kept. */
export type PageProbe = Pick<
  Extract<BrowserFact, { type: 'page.probed' }>,
  'answeredMs' | 'showing' | 'connected' | 'place'
>;

/** In milliseconds. With Chromium 156, an overloaded page answers after 1.0 s and is not hung. */
const SLOW_MS = 1000;
/** Consecutive slow answers, or silences, until the page counts as slow or hung. */
const IN_A_ROW = 3;
/** Consecutive probes (30 s) of an empty page until it counts as blank: a start on a slow panel takes three seconds. */
const BLANK_IN_A_ROW = 6;
/** Consecutive probes of the browser's own error page until the page counts as blank. */
const ERROR_IN_A_ROW = 2;

/** Enough for the longest run. */
const KEPT_PROBES = BLANK_IN_A_ROW;

/** Appends a probe; an excused one (a load, a dialog, an inspector, a freeze) restarts all runs. */
export function addProbe(
  probes: readonly PageProbe[],
  probe: PageProbe & { readonly excused: boolean },
): readonly PageProbe[] {
  if (probe.excused) return [];
  const { answeredMs, showing, connected, place } = probe;
  return [...probes, { answeredMs, showing, connected, place }].slice(-KEPT_PROBES);
}

const endsWith = (probes: readonly PageProbe[], count: number, test: (probe: PageProbe) => boolean): boolean =>
  probes.length >= count && probes.slice(-count).every(test);

/** True if the page answers and draws nothing; where its internals are unknown it counts as drawn. */
const drawsNothing = ({ answeredMs, showing, place }: PageProbe): boolean =>
  answeredMs !== null && (place === 'blank' || place === 'other' || (place === 'dashboard' && showing === false));

/** Judges the page by its probes, oldest first. */
export function judgeHealth(probes: readonly PageProbe[]): Health {
  const last = probes.at(-1);
  if (last === undefined) return 'unknown';
  if (endsWith(probes, IN_A_ROW, ({ answeredMs }) => answeredMs === null)) return 'hung';
  if (endsWith(probes, ERROR_IN_A_ROW, ({ place }) => place === 'error')) return 'blank';
  if (endsWith(probes, BLANK_IN_A_ROW, drawsNothing)) return 'blank';
  if (last.connected === false) return 'stale';
  if (endsWith(probes, IN_A_ROW, ({ answeredMs }) => answeredMs !== null && answeredMs > SLOW_MS)) return 'slow';
  return 'healthy';
}
