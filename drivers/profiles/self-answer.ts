import type { Milliseconds } from '#machines/kit/units.ts';

/** Longest wait for the agent's own `/health`. */
const ANSWER_MS: Milliseconds = 2000;

/** True if this agent answers on its own port, to a request as from any other peer on this machine. Never rejects. */
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
