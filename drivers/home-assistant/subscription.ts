import { type Backoff, backoffDelay } from '#machines/kit/backoff.ts';

import { bounded } from './bounded.ts';

export type End = () => void;

/** A topic that is watched. */
export interface Watched {
  readonly end: End;
  /** Reads it again. */
  readonly renew: () => void;
}

/** Wait before a failed read or subscription is retried: 5 s, doubled up to 5 min. */
const retryBackoff: Backoff = { firstMs: 5000, capMs: 300_000, jitter: 0 };

/** Repeats `attempt`, which never rejects, until it is true; the returned function stops it. */
export function persist(attempt: () => Promise<boolean>): End {
  let live = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = async (tries: number): Promise<void> => {
    if ((await attempt()) || !live) return;
    timer = setTimeout(() => void run(tries + 1), backoffDelay(retryBackoff, tries, 0));
  };
  void run(1);
  return () => {
    live = false;
    clearTimeout(timer);
  };
}

/** Keeps a subscription; the returned function ends it, even if it is granted only afterwards. */
export function subscribe(start: () => Promise<() => Promise<void>>): End {
  let release: End = () => {};
  const stop = persist(() => {
    const made = start();
    release = () =>
      void made.then(
        (unsubscribe) => bounded(unsubscribe()),
        () => {},
      );
    return made.then(
      () => true,
      () => false,
    );
  });
  return () => {
    stop();
    release();
  };
}
