import type { EpochMs } from '#machines/kit/units.ts';

import { childrenOf, incarnation } from './incarnation.ts';
import type { Outline } from './spec.ts';
import type { ChildFacts, Phase } from './supervision.ts';
import type { createSupervisor, SupervisorContext } from './supervisor.ts';
import type { ActorRefFrom, AnyActorRef } from 'xstate';

/** One group or worker of the supervision tree as it stands now. */
export interface TreeNode {
  readonly id: string;
  readonly kind: 'group' | 'worker';
  readonly phase: Phase;
  /** How often it was started again since its group began. */
  readonly restarts: number;
  /** Code of why it last went down; null when it never did. */
  readonly reason: string | null;
  /** When it came into this phase; null while its group is down and nothing is known. */
  readonly since: EpochMs | null;
  readonly children: readonly TreeNode[];
}

const down = (outline: Outline, phase: Phase): TreeNode => ({
  id: outline.id,
  kind: outline.kind,
  phase,
  restarts: 0,
  reason: 'group-down',
  since: null,
  children: outline.children.map((child) => down(child, phase)),
});

/** The facts of a running group, undefined where the actor is something else or has ended. */
const contextOf = (actor: AnyActorRef | undefined): SupervisorContext | undefined => {
  const snapshot: unknown = actor?.getSnapshot();
  if (typeof snapshot !== 'object' || snapshot === null || !('status' in snapshot) || snapshot.status === 'error') return undefined;
  const context = 'context' in snapshot ? snapshot.context : undefined;
  if (typeof context !== 'object' || context === null || !('supervision' in context)) return undefined;
  // Only supervisors hold `supervision`.
  return context as SupervisorContext;
};

const childNodes = (actor: AnyActorRef, context: SupervisorContext): readonly TreeNode[] =>
  context.outline.children.map((outline) => {
    const facts = context.supervision.children.find(({ id }) => id === outline.id);
    return facts ? nodeOf(actor, outline, facts) : down(outline, 'stopped');
  });

const nodeOf = (parent: AnyActorRef, outline: Outline, facts: ChildFacts): TreeNode => {
  const { id, phase, restarts, lastReason, since, generation } = facts;
  const own = { id, kind: outline.kind, phase, restarts, reason: lastReason, since };
  if (outline.kind === 'worker') return { ...own, children: [] };
  const actor = childrenOf(parent)[incarnation(id, generation)];
  const context = contextOf(actor);
  // A group that is down holds nothing that runs.
  const children = actor && context ? childNodes(actor, context) : outline.children.map((child) => down(child, 'stopped'));
  return { ...own, children };
};

/** The whole tree under a supervisor, read now; a worker is shown as running only while its own group says so. */
export const treeOf = (root: ActorRefFrom<ReturnType<typeof createSupervisor>>): TreeNode => {
  const { outline, supervision } = root.getSnapshot().context;
  const phase: Phase = supervision.status === 'ended' ? 'stopped' : supervision.status;
  const reason = supervision.outcome?.ended === 'failed' ? supervision.outcome.reason : null;
  return {
    id: outline.id,
    kind: 'group',
    phase: root.getSnapshot().status === 'error' ? 'stopped' : phase,
    restarts: 0,
    reason,
    since: supervision.since,
    children: childNodes(root, { outline, supervision }),
  };
};
