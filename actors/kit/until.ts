import type { ActorId, ContextOf } from '#machines/actors.ts';
import type { SnapshotView } from '#machines/kit/snapshot.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import { realTimers, type Registry, type Timers } from './registry.ts';

/**
 * What waiting came to: the state and facts for which it became true, or that the bound passed or the waiting was ended
 * first.
 */
export type UntilOutcome<C> =
  | { readonly ok: true; readonly value: SnapshotView<C> }
  | { readonly ok: false; readonly reason: 'timeout' | 'ended' };

/** How the waiting may be ended, and on which clock it goes. */
export interface UntilOptions {
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
  readonly timers?: Timers;
}

/**
 * Waits until `isTrue` of an actor's state and facts, now or later and across its restarts; never rejects. It is not
 * true while the actor is absent. `boundMs` null waits for as long as it takes, or until the signal ends it.
 */
export const until = <I extends ActorId>(
  registry: Pick<Registry, 'follow'>,
  id: I,
  isTrue: (snapshot: SnapshotView<ContextOf<I>>) => boolean,
  boundMs: Milliseconds | null,
  { signal, timers = realTimers }: UntilOptions = {},
): Promise<UntilOutcome<ContextOf<I>>> =>
  new Promise((resolve) => {
    const finish = (outcome: UntilOutcome<ContextOf<I>>): void => {
      timers.clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      unfollow();
      resolve(outcome);
    };
    const end = (): void => finish({ ok: false, reason: 'ended' });
    const unfollow = registry.follow(
      id,
      (snapshot) => (snapshot !== undefined && isTrue(snapshot) ? snapshot : null),
      (value) => {
        // Where it is true at once, following has not returned yet.
        if (value !== null) queueMicrotask(() => finish({ ok: true, value }));
      },
    );
    const timer =
      boundMs === null ? undefined : timers.setTimeout(() => finish({ ok: false, reason: 'timeout' }), boundMs);
    if (signal?.aborted === true) end();
    else signal?.addEventListener('abort', end);
  });
