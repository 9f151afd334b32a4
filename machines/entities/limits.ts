import type { Milliseconds } from '../kit/units.ts';

/**
 * Messages carried out on arrival, whatever their subject; each turn of the event loop allows one more. A client that
 * awaits each result, a person at a slider and a scene of twenty entities never reach this limit.
 */
export const BURST = 20;
/**
 * Pause between two messages of one subject beyond the burst: twenty commands a second are more than anyone can see on
 * a panel.
 */
export const PAUSE_MS: Milliseconds = 50;
/** How long a command waits for a person at the panel, where its sender waits for its end. */
export const APPROVAL_MS: Milliseconds = 60_000;
/** Maximum number of subjects with names from outside that wait for their pause; further ones are dropped. */
export const FOREIGN_SUBJECTS = 64;
