import { matchesState } from 'xstate';

import type { CommandEnd, CommandRefused } from './entity.ts';
import type { SnapshotView } from './snapshot.ts';

const gone: CommandRefused = { reason: 'not-here', message: 'Its hardware is not there now.' };

const notCarriedOut = (fault: string): CommandRefused =>
  fault === 'no-answer'
    ? { reason: 'no-answer', message: 'Its hardware did not answer in time.' }
    : { reason: 'failed', message: `Its hardware did not carry out the command (${fault}).` };

/** Facts of a part that writes to hardware one request at a time (`write-cycle.ts`). */
interface WritingFacts {
  /** Why the last write failed; null after a good one. */
  readonly fault: string | null;
}

/**
 * How the newest write ended; null while one is under way. `present` is the state in which the hardware is there,
 * around `idle` and `writing`; `writes` is false while nothing is written that was requested.
 */
export function endOfWrite(
  present: string,
  { value, context: { fault } }: SnapshotView<WritingFacts>,
  writes = true,
): CommandEnd | null {
  if (writes && matchesState({ [present]: 'writing' }, value)) return null;
  // Hardware that went away during a write may leave no fault behind.
  if (!matchesState(present, value)) return { refused: gone };
  return { refused: fault === null ? null : notCarriedOut(fault) };
}
