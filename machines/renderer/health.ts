import type { BrowserFact } from './events.ts';

/** What the newest looks at the page come to. */
export type Health = 'unknown' | 'healthy' | 'slow' | 'hung' | 'blank' | 'stale';

/** What is kept of one look at the page. */
export type Pulse = Pick<
  Extract<BrowserFact, { type: 'page.pulse' }>,
  'answeredMs' | 'showing' | 'connected' | 'place'
>;

/**
 * An answer later than this is slow, in milliseconds (dashboard-facts 4: an overloaded page answers after 1.0 s and is
 * not hung).
 */
const SLOW_MS = 1000;
/** So many slow answers, or silences, in a row count. */
const IN_A_ROW = 3;
/** So many looks in a row (30 s) at a page that draws nothing count: a start on a slow panel takes three seconds. */
const BLANK_IN_A_ROW = 6;
/** So many looks in a row at the browser's own error page count. */
const ERROR_IN_A_ROW = 2;

/** The looks that are kept: enough for the longest row. */
export const KEPT_PULSES = BLANK_IN_A_ROW;

/** Adds a look; one whose silence is explained (a load, a dialog, an inspector, a freeze) begins the rows anew. */
export const takePulse = (pulses: readonly Pulse[], pulse: Pulse & { readonly excused: boolean }): readonly Pulse[] => {
  if (pulse.excused) return [];
  const { answeredMs, showing, connected, place } = pulse;
  return [...pulses, { answeredMs, showing, connected, place }].slice(-KEPT_PULSES);
};

const endsWith = (pulses: readonly Pulse[], count: number, test: (pulse: Pulse) => boolean): boolean =>
  pulses.length >= count && pulses.slice(-count).every(test);

/** A page that answers and draws nothing; where its inside is unknown it counts as shown. */
const drawsNothing = ({ answeredMs, showing, place }: Pulse): boolean =>
  answeredMs !== null && (place === 'blank' || place === 'other' || (place === 'dashboard' && showing === false));

/** The verdict on a page from its newest looks, oldest first. */
export const judgeHealth = (pulses: readonly Pulse[]): Health => {
  const last = pulses.at(-1);
  if (last === undefined) return 'unknown';
  if (endsWith(pulses, IN_A_ROW, ({ answeredMs }) => answeredMs === null)) return 'hung';
  if (endsWith(pulses, ERROR_IN_A_ROW, ({ place }) => place === 'error')) return 'blank';
  if (endsWith(pulses, BLANK_IN_A_ROW, drawsNothing)) return 'blank';
  if (last.connected === false) return 'stale';
  if (endsWith(pulses, IN_A_ROW, ({ answeredMs }) => answeredMs !== null && answeredMs > SLOW_MS)) return 'slow';
  return 'healthy';
};
