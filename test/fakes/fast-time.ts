import { stat } from 'node:fs';

import { vi } from 'vitest';

/** Time that passes with each turn; a bound of a second is fifty turns. */
const STEP_MS = 20;

const after = setTimeout;

/**
 * Lets the timers and clocks of this process run about ten times as fast, while files and sockets answer as ever; the
 * returned function ends that. Time passes only when a file was answered, so a busy machine slows it down.
 */
export function fastTime(): () => void {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  });
  let isOver = false;
  const turn = (): void =>
    stat('/', () => {
      if (isOver) return;
      vi.advanceTimersByTime(STEP_MS);
      after(turn, 1);
    });
  turn();
  return () => {
    isOver = true;
    vi.useRealTimers();
  };
}
