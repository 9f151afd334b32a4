import { SMALL_BODY_BYTES } from '#machines/kit/small-body.ts';

/** Long enough to accept the waiting connections: libuv takes one in each turn. */
const PAUSE_MS = 5;

/**
 * Lets the event loop turn a few times before the next step on a text of this many characters, so that other peers are
 * answered between two long steps; a short text goes on at once.
 */
export const turnsFor = (length: number): Promise<void> | undefined =>
  length > SMALL_BODY_BYTES ? new Promise((resolve) => setTimeout(resolve, PAUSE_MS)) : undefined;
