import type { EpochMs, Milliseconds } from '../kit/units.ts';
import { allSettledLit, wakeTime } from './decide.ts';
import type { ObservedDisplay } from './events.ts';
import { grabsTouch, stuckAfter } from './grab.ts';

/** What the input machine knows of the displays and of the touch that requested light. */
export interface DisplayFacts {
  /** The displays by their registry ids. */
  readonly displays: Readonly<Record<string, ObservedDisplay>>;
  /** Displays that stayed dark although they were switched on. */
  readonly stuck: readonly string[];
  /** True if other programs must not receive touches now. */
  readonly grabs: boolean;
  /** The touch that requested light, until the screen reports that it is on. */
  readonly wokenAt: EpochMs | null;
  readonly lastWakeMs: Milliseconds;
  readonly wakes: number;
}

/** The facts after an observation of a display. */
export function afterObserved(known: DisplayFacts, id: string, display: ObservedDisplay): DisplayFacts {
  const displays = { ...known.displays, [id]: display };
  const stuck = stuckAfter(known.stuck, id, known.displays[id], display);
  const took = wakeTime(known.wokenAt, display);
  return {
    displays,
    stuck,
    grabs: grabsTouch(displays, stuck),
    lastWakeMs: took ?? known.lastWakeMs,
    wakes: known.wakes + (took === null ? 0 : 1),
    // Lit by something else in the meantime: the next touch starts a new measurement.
    wokenAt: took !== null || allSettledLit(displays) ? null : known.wokenAt,
  };
}
