import type { ActorId } from '#machines/actors.ts';
import type { NewHistoryEntry, HistoryRow } from '#machines/kit/history-event.ts';
import type { EpochMs } from '#machines/kit/units.ts';

import type { Registry } from './registry.ts';

/**
 * Follows the actor of a row of the history and tells what happened to it; a part that was away for a moment is
 * compared with what it was before. Returns how to stop that.
 */
export function followHistory(
  registry: Registry,
  { actor, selector, historyEvents }: HistoryRow<ActorId>,
  now: () => EpochMs,
  tell: (historyEvent: NewHistoryEntry) => void,
): () => void {
  let before: unknown = null;
  return registry.follow(
    actor,
    (snapshot) => (snapshot === undefined ? null : selector(snapshot.context, snapshot.value)),
    (after) => {
      if (after === null) return;
      for (const historyEvent of historyEvents(before, after, now())) tell(historyEvent);
      before = after;
    },
  );
}
