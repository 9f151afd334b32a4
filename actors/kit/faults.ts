import type { FaultEvent } from '#machines/kit/actor.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';

import { crashCode, crashFactsOf, type CrashFacts } from './crash-facts.ts';

/** An operation failed in a part that goes on running. */
export interface FaultFact {
  readonly type: 'fault';
  readonly id: string;
  /** `announced-read/store-silent`: the operation that failed, and the error's code. */
  readonly reason: string;
  readonly error: CrashFacts;
  /** True if the same fault was reported within the last minute. */
  readonly again: boolean;
}

export interface FaultDeps<I extends string> {
  /** The part of a registry that is used, whatever its actors are. */
  readonly registry: {
    readonly ids: () => readonly I[];
    readonly listen: (id: I, type: 'fault', handler: (event: FaultEvent) => void) => () => void;
  };
  readonly now: () => EpochMs;
  /** Folder of the running bundle; frames are shown relative to it. */
  readonly bundle: string;
}

/** A fault that recurs within this time counts as a repetition: some parts retry each second. */
const REPEATED_WITHIN_MS: Milliseconds = 60_000;
/** Most distinct faults that are remembered; there are few codes, unless a library generates them. */
const MOST_REMEMBERED = 100;

/** Reports every `fault` that a supervised part emits, across restarts; returns functions that stop it. */
export function followFaults<I extends string>(
  { registry, now, bundle }: FaultDeps<I>,
  report: (fact: FaultFact) => void,
): readonly (() => void)[] {
  const reported = new Map<string, EpochMs>();
  return registry.ids().map((id) =>
    registry.listen(id, 'fault', ({ operation, error: thrown }) => {
      const error = crashFactsOf(thrown, bundle);
      const reason = `${operation}/${crashCode(error)}`;
      const at = now();
      const before = reported.get(`${id} ${reason}`);
      const again = before !== undefined && Math.abs(at - before) < REPEATED_WITHIN_MS;
      if (reported.size >= MOST_REMEMBERED) reported.clear();
      if (!again) reported.set(`${id} ${reason}`, at);
      report({ type: 'fault', id, reason, error, again });
    }),
  );
}
