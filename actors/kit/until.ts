import type { ActorId, ContextOf } from '#machines/actors.ts';
import type { SnapshotView } from '#machines/kit/snapshot.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import { realTimers, type Registry, type Timers } from './registry.ts';

/**
 * The result of waiting: the state and facts that satisfied the condition, or that the bound passed or the signal came
 * first.
 */
export type UntilOutcome<C> =
  | { readonly ok: true; readonly value: SnapshotView<C> }
  | { readonly ok: false; readonly reason: 'timeout' | 'ended' };

export interface UntilOptions {
  readonly signal?: AbortSignal;
  readonly timers?: Timers;
}

/**
 * Waits until `isTrue` holds for an actor's state and facts, now or later and across its restarts; never rejects. It
 * does not hold while the actor is absent. With `boundMs` null it waits until the condition holds or the signal aborts.
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
        // If it holds at once, `follow` has not returned yet.
        if (value !== null) queueMicrotask(() => finish({ ok: true, value }));
      },
    );
    const timer =
      boundMs === null ? undefined : timers.setTimeout(() => finish({ ok: false, reason: 'timeout' }), boundMs);
    if (signal?.aborted === true) end();
    else signal?.addEventListener('abort', end);
  });
