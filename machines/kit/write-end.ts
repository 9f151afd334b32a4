import { matchesState } from 'xstate';

import type { CommandEnd, CommandRefused } from './entity.ts';
import type { SnapshotView } from './snapshot.ts';

/** Faults for which hardware counts as gone, and the one for which it was silent. */
const gone: readonly string[] = ['gone', 'no-display', 'no-sound'];

const notCarriedOut = (fault: string): CommandRefused => {
  if (gone.includes(fault)) return { reason: 'not-here', message: 'Its hardware is not there now.' };
  return fault === 'no-answer'
    ? { reason: 'no-answer', message: 'Its hardware did not answer in time.' }
    : { reason: 'failed', message: `Its hardware did not carry out the command (${fault}).` };
};

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
  // Hardware that went away during a write leaves no fault behind.
  const failure = fault ?? (matchesState(present, value) ? null : 'gone');
  return { refused: failure === null ? null : notCarriedOut(failure) };
}
