import type { Milliseconds } from '#machines/kit/units.ts';
import { HELD_WAIT_MS, HOLD_MS, judgeHeld, MOST_HELD, type SettingsChange } from '#machines/settings/hold.ts';

import type { Timers } from '../kit/registry.ts';

/** The job that holds the settings, and the changes that wait for its end. */
export interface Holding {
  /** False if another job holds them. */
  readonly begin: (token: string) => boolean;
  /** Ends the hold if that job has it. */
  readonly end: (token: string) => void;
  /** True if a change is to be made now; otherwise it waits or is answered `busy`. */
  readonly admits: (change: SettingsChange) => boolean;
  /** The changes that still wait; ends all timers. */
  readonly close: () => readonly SettingsChange[];
}

interface HoldingDeps {
  readonly clock: Timers;
  /** Wraps what timers call. */
  readonly guard: (run: () => void) => () => void;
  readonly busy: (change: SettingsChange) => void;
  /** Called with what waited, in order, once the settings are free. */
  readonly resume: (changes: readonly SettingsChange[]) => void;
}

export function createHolding({ clock, guard, busy, resume }: HoldingDeps): Holding {
  const waiting = new Map<SettingsChange, unknown>();
  let holder: string | null = null;
  let limit: unknown;

  const takeWaiting = (): readonly SettingsChange[] => {
    for (const timer of waiting.values()) clock.clearTimeout(timer);
    const changes = [...waiting.keys()];
    waiting.clear();
    return changes;
  };
  const later = (run: () => void, ms: Milliseconds): unknown => clock.setTimeout(guard(run), ms);
  const free = (): void => {
    clock.clearTimeout(limit);
    holder = null;
    resume(takeWaiting());
  };
  const expire = (change: SettingsChange): void => {
    if (waiting.delete(change)) busy(change);
  };

  return {
    begin: (token) => {
      if (holder !== null) return holder === token;
      holder = token;
      limit = later(free, HOLD_MS);
      return true;
    },
    end: (token) => {
      if (holder === token) free();
    },
    admits: (change) => {
      const judged = judgeHeld(holder, change);
      if (judged === 'made') return true;
      if (judged === 'busy' || waiting.size >= MOST_HELD) busy(change);
      else
        waiting.set(
          change,
          later(() => expire(change), HELD_WAIT_MS),
        );
      return false;
    },
    close: () => {
      clock.clearTimeout(limit);
      return takeWaiting();
    },
  };
}
