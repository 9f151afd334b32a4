import type { ActorId } from '#machines/actors.ts';
import type { Happening, HistoryRow } from '#machines/kit/happening.ts';
import type { EpochMs } from '#machines/kit/units.ts';

import type { Registry } from './registry.ts';

/**
 * Follows the actor of a row of the history and tells what happened to it; a part that was away for a moment is
 * compared with what it was before. Returns how to stop that.
 */
export const followHappenings = (
  registry: Registry,
  { actor, selector, happenings }: HistoryRow<ActorId>,
  now: () => EpochMs,
  tell: (happening: Happening) => void,
): (() => void) => {
  let before: unknown = null;
  return registry.follow(
    actor,
    (snapshot) => (snapshot === undefined ? null : selector(snapshot.context, snapshot.value)),
    (after) => {
      if (after === null) return;
      for (const happening of happenings(before, after, now())) tell(happening);
      before = after;
    },
  );
};
