import type { Milliseconds } from '#machines/kit/units.ts';

/** How long the own listener may take for its health line. */
const ANSWER_MS: Milliseconds = 2000;

/**
 * Whether this agent answers on its own port: a request as any other peer on this machine would make it. Never rejects.
 */
export const selfAnswer =
  (port: () => number) =>
  async (signal: AbortSignal): Promise<boolean> => {
    if (port() <= 0) return false;
    try {
      const response = await fetch(`http://127.0.0.1:${port()}/health`, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
      });
      await response.arrayBuffer();
      return response.ok;
    } catch {
      return false;
    }
  };
