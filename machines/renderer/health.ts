import type { BrowserFact } from './events.ts';

/** What the newest probes of the page come to. */
export type Health = 'unknown' | 'healthy' | 'slow' | 'hung' | 'blank' | 'stale';

/** What is kept of one probe of the page. */
export type PageProbe = Pick<
  Extract<BrowserFact, { type: 'page.probed' }>,
  'answeredMs' | 'showing' | 'connected' | 'place'
>;

/**
 * An answer later than this is slow, in milliseconds (seen with Chromium 156: an overloaded page answers after 1.0 s
 * and is not hung).
 */
const SLOW_MS = 1000;
/** So many slow answers, or silences, in a row count. */
const IN_A_ROW = 3;
/** So many probes in a row (30 s) of a page that draws nothing count: a start on a slow panel takes three seconds. */
const BLANK_IN_A_ROW = 6;
/** So many probes in a row of the browser's own error page count. */
const ERROR_IN_A_ROW = 2;

/** The probes that are kept: enough for the longest row. */
const KEPT_PROBES = BLANK_IN_A_ROW;

/** Adds a probe; one whose silence is explained (a load, a dialog, an inspector, a freeze) begins the rows anew. */
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

/** A page that answers and draws nothing; where its inside is unknown it counts as shown. */
const drawsNothing = ({ answeredMs, showing, place }: PageProbe): boolean =>
  answeredMs !== null && (place === 'blank' || place === 'other' || (place === 'dashboard' && showing === false));

/** The verdict on a page from its newest probes, oldest first. */
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
