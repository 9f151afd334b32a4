import type { ActorId } from '#machines/actors.ts';
import type { NewHistoryEntry, HistoryRow } from '#machines/kit/history-event.ts';
import type { EpochMs } from '#machines/kit/units.ts';

import type { Registry } from './registry.ts';

/**
 * Follows the actor of a history row and reports what happened to it; after a short absence it is compared with its
 * last known facts. Returns a function that stops following.
 */
export function followHistory(
  registry: Registry,
  { actor, selector, historyEvents }: HistoryRow<ActorId>,
  now: () => EpochMs,
  report: (historyEvent: NewHistoryEntry) => void,
): () => void {
  let before: unknown = null;
  return registry.follow(
    actor,
    (snapshot) => (snapshot === undefined ? null : selector(snapshot.context, snapshot.value)),
    (after) => {
      if (after === null) return;
      for (const historyEvent of historyEvents(before, after, now())) report(historyEvent);
      before = after;
    },
  );
}
