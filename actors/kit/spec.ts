import type { AnyActorLogic } from 'xstate';

import type { Backoff } from '#machines/kit/backoff.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import type { GroupRules, RestartType, Strategy } from './supervision-state.ts';

/** One supervised worker; its id is its systemId, by which the registry finds it. */
export interface ChildSpec {
  readonly id: string;
  readonly logic: AnyActorLogic;
  /** Made again for each start. */
  readonly input?: (() => unknown) | undefined;
  readonly restart: RestartType;
  /**
   * The event that asks it to stop, and how long it may take before it is killed; without it, it is stopped at once.
   */
  readonly stop?: { readonly event: { readonly type: string }; readonly withinMs: Milliseconds } | undefined;
  /** Parks it at its first crash: what it is made from is missing, and an early retry changes nothing. */
  readonly hopeless?: true | undefined;
  /**
   * For a worker that does not always run: the phase that it stays in when its group starts, or null if it starts with
   * the group. From then on it is started by adopting and stopped by dismissing it.
   */
  readonly held?: 'waiting' | 'off' | null | undefined;
  /** Drops what it was made from, once it is off. */
  readonly release?: (() => void) | undefined;
}

/** Several children under one strategy; a group is itself a child of its parent group. */
export interface GroupSpec {
  readonly id: string;
  readonly strategy: Strategy;
  /** The group gives up after more than `restarts` restarts within `periodMs`. */
  readonly intensity: { readonly restarts: number; readonly periodMs: Milliseconds };
  /** Giving up ends the group as failed (a crash for its parent), or parks what crashed and tries it again later. */
  readonly onGiveUp: 'escalate' | 'park';
  /** How long a parked child stays down before it is tried again; 15 minutes if absent. */
  readonly parkRetryMs?: Milliseconds;
  /** Pause before each restart; it must leave time for asynchronous cleanup (a port, a file lock). */
  readonly backoff: Backoff;
  /** In start order; they stop in reverse. */
  readonly children: readonly (ChildSpec | GroupSpec)[];
  /**
   * For a group that waits until it is adopted: its children at that time. Until then `children` say which ones to
   * expect.
   */
  readonly adopted?: () => readonly (ChildSpec | GroupSpec)[];
}

export const isGroup = (spec: ChildSpec | GroupSpec): spec is GroupSpec => 'children' in spec;

/** All workers under a spec, in start order. */
export const workersOf = (spec: ChildSpec | GroupSpec): readonly ChildSpec[] =>
  isGroup(spec) ? spec.children.flatMap(workersOf) : [spec];

/** The ids of all workers under a spec, in start order. */
export const workerIds = (spec: ChildSpec | GroupSpec): readonly string[] =>
  isGroup(spec) ? spec.children.flatMap(workerIds) : [spec.id];

/** The ids under a spec, for the tree of a group that is down. */
export interface Outline {
  readonly id: string;
  readonly kind: 'group' | 'worker';
  readonly children: readonly Outline[];
}

/** The shape of a spec without its logic. */
export const outlineOf = (spec: ChildSpec | GroupSpec): Outline =>
  isGroup(spec)
    ? { id: spec.id, kind: 'group', children: spec.children.map(outlineOf) }
    : { id: spec.id, kind: 'worker', children: [] };

/** Asks a group to stop; nested groups are asked in the same way. */
export const SHUTDOWN = { type: 'supervisor.shutdown' } as const;

/** Added to a group's bound for its own part in stopping. */
const GROUP_SLACK_MS: Milliseconds = 50;

/**
 * The longest time a child may take to stop: its own bound, or the sum for a group, which stops its children one by
 * one.
 */
export const stopBoundMs = (spec: ChildSpec | GroupSpec): Milliseconds =>
  isGroup(spec)
    ? (spec.adopted?.() ?? spec.children).reduce((sum, child) => sum + stopBoundMs(child), GROUP_SLACK_MS)
    : (spec.stop?.withinMs ?? 0);

const PARK_RETRY_MS: Milliseconds = 15 * 60_000;

/** The part of a group's spec that decisions are made from; a nested group is a permanent child. */
export const rulesOf = (group: GroupSpec): GroupRules => ({
  strategy: group.strategy,
  intensity: group.intensity,
  onGiveUp: group.onGiveUp,
  parkRetryMs: group.parkRetryMs ?? PARK_RETRY_MS,
  backoff: group.backoff,
  children: group.children.map((spec) => ({
    id: spec.id,
    restart: isGroup(spec) ? 'permanent' : spec.restart,
    stopWithinMs: isGroup(spec) || spec.stop ? stopBoundMs(spec) : null,
    held: isGroup(spec) ? (spec.adopted === undefined ? null : 'waiting') : (spec.held ?? null),
    hopeless: !isGroup(spec) && spec.hopeless === true,
  })),
});
