/** Limit for a browser to become ready, in milliseconds: a cold start on a slow panel takes a few seconds. */
export const START_BOUND_MS = 45_000;
/** Limit for the answer to one load or navigation, in milliseconds; the driver's own limit is shorter. */
export const ANSWER_BOUND_MS = 40_000;
/** How long a navigation waits for the scan of its dashboard, in milliseconds; the previous page stays meanwhile. */
export const SCAN_WAIT_MS = 2_000;
/** How often to look for a missing program or display, in milliseconds. */
export const PROBE_INTERVAL_MS = 10_000;
/** Pause before retrying one of the panel's own pages, in milliseconds. */
export const OWN_RETRY_MS = 2_000;
/** How long the screen is dark before the page is frozen, in milliseconds: a short dark moment is not worth it. */
export const FREEZE_DELAY_MS = 5_000;
/**
 * Pause before retrying a home dashboard that was missing, in milliseconds: a Home Assistant that has just started does
 * not have all of its dashboards yet.
 */
export const HOME_RETRY_MS = 60_000;
