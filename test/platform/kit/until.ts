import { setTimeout as pause } from 'node:timers/promises';

/** How often a condition is looked at, in milliseconds. */
const everyMs = 50;

/**
 * Waits until `look` answers something other than undefined or false and returns it; a throw counts as "not yet".
 * `what` names it in the error.
 */
export const until = async <T>(
  what: string,
  look: () => T | Promise<T>,
  withinMs = 15_000,
): Promise<Exclude<T, undefined | false>> => {
  const deadline = performance.now() + withinMs;
  let last: unknown;
  for (;;) {
    try {
      const seen = await look();
      if (seen !== undefined && seen !== false) {
        // The two excluded values were just ruled out; the compiler does not narrow a type parameter.
        return seen as Exclude<T, undefined | false>;
      }
    } catch (error) {
      last = error;
    }
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`, { cause: last });
    await pause(everyMs);
  }
};
