import type { Milliseconds } from '../kit/units.ts';
import type { SettingsEvent } from './events.ts';

/** Longest time that a job may hold the settings; it only counts if the job's end is never reported. */
export const HOLD_MS: Milliseconds = 300_000;
/** Longest wait of a change behind such a job (contract, "Limits"). */
export const HELD_WAIT_MS: Milliseconds = 10_000;
/** Most changes that wait at once; those of entities are one per key. */
export const MOST_HELD = 64;

/** How long to wait for a save that may be behind a job: that wait, then reading and writing the store (3 and 6 s). */
export const SAVE_MS: Milliseconds = HELD_WAIT_MS + 10_000;

/** A change of the settings. */
export type SettingsChange = Extract<
  SettingsEvent,
  { readonly type: 'settings.merge' | 'settings.assign' | 'settings.provision' }
>;

/**
 * What happens to a change while `holder` holds the settings (null if no job does). Over HTTP the answer is immediate,
 * since a person decides what to do next. A job that does not hold them, or no longer does, must not change them.
 */
export function judgeHeld(holder: string | null, change: SettingsChange): 'made' | 'waits' | 'busy' {
  if ('token' in change && change.token !== undefined) return change.token === holder ? 'made' : 'busy';
  if (holder === null) return 'made';
  return 'from' in change && change.from !== null && change.from !== undefined ? 'busy' : 'waits';
}
