import type { ActorId, ContextOf } from '#machines/actors.ts';
import type { SnapshotView } from '#machines/kit/snapshot.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import { realTimers, type Registry, type Timers } from './registry.ts';

/** What waiting came to: the state and facts for which it became true, or that the bound passed first. */
export type UntilOutcome<C> =
  | { readonly ok: true; readonly value: SnapshotView<C> }
  | { readonly ok: false; readonly reason: 'timeout' };

/**
 * Waits until `isTrue` of an actor's state and facts, now or later and across its restarts; never rejects. It is not
 * true while the actor is absent. `boundMs` null waits for as long as it takes.
 */
export const until = <I extends ActorId>(
  registry: Pick<Registry, 'follow'>,
  id: I,
  isTrue: (snapshot: SnapshotView<ContextOf<I>>) => boolean,
  boundMs: Milliseconds | null,
  timers: Timers = realTimers,
): Promise<UntilOutcome<ContextOf<I>>> =>
  new Promise((resolve) => {
    const finish = (outcome: UntilOutcome<ContextOf<I>>): void => {
      timers.clearTimeout(timer);
      unfollow();
      resolve(outcome);
    };
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
  });
