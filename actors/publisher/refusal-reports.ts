import { type After, byTimer } from '#drivers/kit/rounds.ts';
import type { CommandRefused } from '#machines/kit/entity.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

/** Shortest time between two reports about one entity: an automation may repeat a refused command without end. */
export const REPORT_PAUSE_MS: Milliseconds = 1000;

export interface RefusalReportsPlan {
  /** Reports the refusal of an entity's newest command, or that there is none any more. */
  readonly report: (key: string, refusal: CommandRefused | null) => void;
  /** Wraps the callbacks of timers. */
  readonly guard: (fn: () => void) => () => void;
  readonly after?: After;
}

/** Reports refused commands at a bounded rate. */
export interface RefusalReports {
  readonly refused: (key: string, refusal: CommandRefused) => void;
  readonly taken: (key: string) => void;
  /** Reports nothing more. */
  readonly stop: () => void;
}

/** One entity: its last report, the newest command since, and the timer of the pause under way. */
interface Entry {
  readonly shown: CommandRefused | null;
  readonly next: { readonly refusal: CommandRefused | null } | null;
  readonly cancel: (() => void) | null;
}

/**
 * Reports the first refusal of an entity at once; what follows within the pause is one report at its end, of the newest
 * command. A command that was taken is reported only after a refusal.
 */
export function createRefusalReports({ report, guard, after = byTimer }: RefusalReportsPlan): RefusalReports {
  /** Entities within a pause, and those whose last report was a refusal. */
  const entries = new Map<string, Entry>();

  const show = (key: string, refusal: CommandRefused | null): void => {
    const cancel = after(
      REPORT_PAUSE_MS,
      guard(() => endPause(key)),
    );
    entries.set(key, { shown: refusal, next: null, cancel });
    report(key, refusal);
  };
  const endPause = (key: string): void => {
    const { shown = null, next = null } = entries.get(key) ?? {};
    if (next !== null && (next.refusal !== null || shown !== null)) show(key, next.refusal);
    else if (shown === null) entries.delete(key);
    else entries.set(key, { shown, next: null, cancel: null });
  };
  const take = (key: string, refusal: CommandRefused | null): void => {
    const entry = entries.get(key);
    if (entry !== undefined && entry.cancel !== null) entries.set(key, { ...entry, next: { refusal } });
    else if (entry !== undefined || refusal !== null) show(key, refusal);
  };
  return {
    refused: take,
    taken: (key) => take(key, null),
    stop: () => {
      for (const { cancel } of entries.values()) cancel?.();
    },
  };
}
