import type { Milliseconds } from '../kit/units.ts';

/**
 * Messages that are carried out as they come, whatever they are about; each turn of the event loop allows one more. One
 * who waits for the result of each, a person at a slider and a scene of twenty entities never meet this bound.
 */
export const BURST = 20;
/**
 * Pause between two messages of one subject once the burst was exceeded: twenty commands a second are more than anybody
 * sees on a panel.
 */
export const PAUSE_MS: Milliseconds = 50;
/** Most subjects with names from outside that wait for a pause to end; more than that are dropped. */
export const FOREIGN_SUBJECTS = 64;
