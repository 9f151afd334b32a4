import { setTimeout as pause } from 'node:timers/promises';

/** Pause before the second look at a condition, in milliseconds; each one after it is longer, up to the longest. */
const FIRST_PAUSE_MS = 25;
/** A look may ask an agent for three documents, and a wait of seconds is not to keep a core busy with that. */
const LONGEST_PAUSE_MS = 400;

/**
 * Waits until `look` answers something other than undefined or false and returns it; a throw counts as "not yet", and
 * so does a look that answers nothing in time. `what` names it in the error.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  withinMs = 30_000,
): Promise<Exclude<T, undefined | false>> {
  const deadline = performance.now() + withinMs;
  const over = new AbortController();
  const late = pause(withinMs, undefined, { signal: over.signal }).catch(() => undefined);
  let last: unknown;
  try {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.2, LONGEST_PAUSE_MS)) {
      try {
        const seen = await Promise.race([look(), late]);
        if (seen !== undefined && seen !== false) {
          // The two excluded values were just ruled out; the compiler does not narrow a type parameter.
          return seen as Exclude<T, undefined | false>;
        }
      } catch (error) {
        last = error;
      }
      if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`, { cause: last });
      await pause(pauseMs);
    }
  } finally {
    over.abort();
  }
}
