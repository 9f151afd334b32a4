import { SMALL_BODY_BYTES } from '#machines/kit/small-body.ts';

/** Long enough to accept the connections that wait: libuv takes one in each turn. */
const PAUSE_MS = 5;

/**
 * Lets the event loop turn some times before the next step with a text of so many characters, so that other peers are
 * answered between two steps that take long; a short one goes on at once.
 */
export const turnsFor = (length: number): Promise<void> | undefined =>
  length > SMALL_BODY_BYTES ? new Promise((resolve) => setTimeout(resolve, PAUSE_MS)) : undefined;
