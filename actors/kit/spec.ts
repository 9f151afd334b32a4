import type { AnyActorLogic } from 'xstate';

import type { Backoff } from '#machines/kit/backoff.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

/** Whether a child that ended is started again: always, only after a crash, or never (OTP's restart types). */
export type RestartType = 'permanent' | 'transient' | 'temporary';

/** Which siblings go down and up with a crashed child: none, those started after it, or all (OTP's strategies). */
export type Strategy = 'one_for_one' | 'rest_for_one' | 'one_for_all';

/** One supervised worker; its id is its systemId, by which the registry finds it. */
export interface ChildSpec {
  readonly id: string;
  readonly logic: AnyActorLogic;
  /** Made anew for each start. */
  readonly input?: () => unknown;
  readonly restart: RestartType;
  /** What asks it to stop, and how long it may take before it is cut; without it it is stopped at once. */
  readonly stop?: { readonly event: { readonly type: string }; readonly withinMs: Milliseconds };
}

/** Several children under one strategy; a group is itself a child of its parent group. */
export interface GroupSpec {
  readonly id: string;
  readonly strategy: Strategy;
  /** More than `restarts` restarts within `periodMs` means the group gives up. */
  readonly intensity: { readonly restarts: number; readonly periodMs: Milliseconds };
  /** Giving up ends the group as failed (its parent counts a crash), or leaves what crashed down and tries again later. */
  readonly onGiveUp: 'escalate' | 'park';
  /** How long a parked child stays down before it is tried again; 15 minutes when absent. */
  readonly parkRetryMs?: Milliseconds;
  /** Pause before each restart; it must leave time for asynchronous cleanup (a port, a file lock). */
  readonly backoff: Backoff;
  /** In start order; they stop in reverse. */
  readonly children: readonly (ChildSpec | GroupSpec)[];
}

/** Whether a child is a group. */
export const isGroup = (spec: ChildSpec | GroupSpec): spec is GroupSpec => 'children' in spec;

/** The ids of all workers under a spec, in start order. */
export const workerIds = (spec: ChildSpec | GroupSpec): readonly string[] => (isGroup(spec) ? spec.children.flatMap(workerIds) : [spec.id]);
