import type { IncomingMessage } from 'node:http';

import type { Milliseconds } from '#machines/kit/units.ts';

/** Reads a body piece by piece; what was not asked for waits in the socket, and its sender with it. */
export interface BodyReader {
  /** The next piece, with all that waits; null at the end of the body, `gone` if its sender left before. */
  readonly next: () => Promise<Buffer | null | 'gone'>;
  /** Since when a piece is being waited for; infinite while none is. */
  readonly waitingSince: () => Milliseconds;
  /** Stops reading: `next` resolves to `gone`. */
  readonly end: () => void;
}

export function bodyReader(incoming: IncomingMessage, now: () => Milliseconds): BodyReader {
  let isEnded = false;
  let isGone = false;
  let since: Milliseconds = Infinity;
  let wake: () => void = () => {};
  const onReadable = (): void => wake();
  const onEnd = (): void => {
    isEnded = true;
    wake();
  };
  const end = (): void => {
    isGone = true;
    incoming.off('readable', onReadable);
    incoming.off('end', onEnd);
    incoming.off('close', lose);
    wake();
  };
  const lose = (): void => {
    if (!isEnded) end();
  };
  incoming.on('readable', onReadable);
  incoming.on('end', onEnd);
  incoming.on('close', lose);
  // `close` follows; without a listener an aborted upload would be an uncaught error.
  incoming.on('error', () => {});
  return {
    next: async () => {
      since = now();
      for (;;) {
        if (isGone) {
          since = Infinity;
          return 'gone';
        }
        // A stream without an encoding gives bytes.
        const piece = incoming.read() as Buffer | null;
        if (piece !== null || isEnded) {
          since = Infinity;
          return piece;
        }
        // oxlint-disable-next-line no-await-in-loop -- waits for more of the body
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    waitingSince: () => since,
    end,
  };
}
