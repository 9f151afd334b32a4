import type { FaultEvent } from '#machines/kit/actor.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';

import { crashCode, crashFactsOf, type CrashFacts } from './crash-facts.ts';

/** Something in a part failed, and the part goes on. */
export interface FaultFact {
  readonly type: 'fault';
  /** Registry id of the part. */
  readonly id: string;
  /** `announced-read/store-silent`: the operation that failed, and the error's code. */
  readonly reason: string;
  readonly error: CrashFacts;
  /** Whether the same was told within the last minute. */
  readonly again: boolean;
}

/** What the follower of faults needs from outside. */
export interface FaultDeps<I extends string> {
  /** The part of a registry that is used, whatever its actors are. */
  readonly registry: {
    readonly ids: () => readonly I[];
    readonly listen: (id: I, type: 'fault', handler: (event: FaultEvent) => void) => () => void;
  };
  readonly now: () => EpochMs;
  /** Folder of the running bundle, which frames are shown relative to. */
  readonly bundle: string;
}

/** How long a fault that comes again is no news: some parts try again each second. */
const NEWS_AFTER_MS: Milliseconds = 60_000;
/** Most different faults that are remembered; codes are few, unless a library makes them up. */
const MOST_TOLD = 100;

/** Tells of every `fault` that any supervised part emits, across restarts; returns how to stop that. */
export function followFaults<I extends string>(
  { registry, now, bundle }: FaultDeps<I>,
  report: (fact: FaultFact) => void,
): readonly (() => void)[] {
  const told = new Map<string, EpochMs>();
  return registry.ids().map((id) =>
    registry.listen(id, 'fault', ({ operation, error: thrown }) => {
      const error = crashFactsOf(thrown, bundle);
      const reason = `${operation}/${crashCode(error)}`;
      const at = now();
      const before = told.get(`${id} ${reason}`);
      const again = before !== undefined && Math.abs(at - before) < NEWS_AFTER_MS;
      if (told.size >= MOST_TOLD) told.clear();
      if (!again) told.set(`${id} ${reason}`, at);
      report({ type: 'fault', id, reason, error, again });
    }),
  );
}
