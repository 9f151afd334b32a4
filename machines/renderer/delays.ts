/** Longest wait for a browser to be ready, in milliseconds: a cold start on a slow panel takes a few seconds. */
export const START_BOUND_MS = 45_000;
/** Longest wait for the answer to one load or navigation, in milliseconds; the driver's own bound is shorter. */
export const ANSWER_BOUND_MS = 40_000;
/** Longest that a navigation waits for the scan of its dashboard, in milliseconds; the page before stays so long. */
export const SCAN_WAIT_MS = 2_000;
/** How often a missing program or display is looked for, in milliseconds. */
export const PROBE_INTERVAL_MS = 10_000;
/** Pause before an own page that did not open is tried again, in milliseconds. */
export const OWN_RETRY_MS = 2_000;
/** How long the screen is dark before the page is frozen, in milliseconds: a short dark moment is not worth it. */
export const FREEZE_DELAY_MS = 5_000;
/**
 * How long a home dashboard that was not there waits for its second try, in milliseconds: a Home Assistant that starts
 * has not all of its dashboards.
 */
export const HOME_RETRY_MS = 60_000;
