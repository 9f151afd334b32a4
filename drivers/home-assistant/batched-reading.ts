import type { Milliseconds } from '#machines/kit/units.ts';

import { ANSWER_MS } from './bounded.ts';
import { noTraffic, pauseAfter, withMessage } from './flood.ts';

/** Reads the messages of a flood in batches: waking up for each costs more than what is done with it. */
export interface BatchedReading {
  /** A command was sent: until it is answered, everything is read at once. */
  readonly sent: (id: number) => void;
  /** A message of so many bytes came, about the command with this id; -1 for none. */
  readonly came: (id: number, bytes: number) => void;
  /** While it is true, everything is read at once. */
  readonly hurry: (isHurried: boolean) => void;
  readonly end: () => void;
}

/**
 * Pauses a socket while messages flood in. What came in a pause is read whole before the next one; after a pause in
 * which nothing came, the next message is read at once.
 */
export function batchedReading(
  socket: { readonly pause: () => void; readonly resume: () => void },
  /** Milliseconds on a monotonic clock. */
  elapsed: () => Milliseconds,
): BatchedReading {
  let traffic = noTraffic;
  let isHurried = false;
  /** When the commands were sent that have no answer yet, by their ids. */
  const awaited = new Map<number, Milliseconds>();
  let pause: ReturnType<typeof setTimeout> | undefined;
  let next: ReturnType<typeof setImmediate> | undefined;

  const forgetLate = (): void => {
    for (const [id, at] of awaited) if (elapsed() - at >= ANSWER_MS) awaited.delete(id);
  };
  const goOn = (): void => {
    if (pause === undefined) return;
    clearTimeout(pause);
    pause = undefined;
    socket.resume();
  };
  const rest = (): void => {
    next = undefined;
    forgetLate();
    const ms = isHurried || awaited.size > 0 ? 0 : pauseAfter(traffic);
    if (ms === 0) return;
    socket.pause();
    pause = setTimeout(goOn, ms);
  };
  return {
    sent: (id) => {
      forgetLate();
      awaited.set(id, elapsed());
      goOn();
    },
    came: (id, bytes) => {
      awaited.delete(id);
      traffic = withMessage(traffic, elapsed(), bytes);
      // After this turn of the event loop, in which all that has arrived is read.
      if (pause === undefined && pauseAfter(traffic) > 0) next ??= setImmediate(rest);
    },
    hurry: (wanted) => {
      isHurried = wanted;
      if (wanted) goOn();
    },
    end: () => {
      clearTimeout(pause);
      clearImmediate(next);
    },
  };
}
