import type { AnyActorRef } from 'xstate';

import type { WorkerOutcome } from '#machines/kit/outcome.ts';
import type { TreeNode } from '#machines/kit/status.ts';

import { watchInstance, type LiveActor } from './follow.ts';
import { childrenOf, generationKey } from './generation.ts';
import type { Outline } from './spec.ts';
import type { ChildFacts, Phase, SupervisionState } from './supervision-state.ts';

/** A supervisor's facts: those of its children, and the ids of everything under it. */
export interface SupervisorContext {
  readonly outline: Outline;
  readonly supervision: SupervisionState;
}

/** Clients know a fixed set of phases, so `off` is shown as `stopped` with a flag. */
const shownPhase = (phase: Phase): Pick<TreeNode, 'phase' | 'off'> =>
  phase === 'off' ? { phase: 'stopped', off: true } : { phase, off: false };

const idleSubtree = (outline: Outline, phase: Phase): TreeNode => ({
  id: outline.id,
  kind: outline.kind,
  ...shownPhase(phase),
  restarts: 0,
  reason: 'group-down',
  since: null,
  children: outline.children.map((child) => idleSubtree(child, phase)),
});

/** The facts of a running group; undefined if the actor is something else or has crashed. */
function contextOf(actor: AnyActorRef | undefined): SupervisorContext | undefined {
  const snapshot: unknown = actor?.getSnapshot();
  if (typeof snapshot !== 'object' || snapshot === null || !('status' in snapshot) || snapshot.status === 'error')
    return undefined;
  const context = 'context' in snapshot ? snapshot.context : undefined;
  if (typeof context !== 'object' || context === null || !('supervision' in context)) return undefined;
  // Only supervisors hold `supervision`.
  return context as SupervisorContext;
}

const childNodes = (actor: AnyActorRef, context: SupervisorContext): TreeNode[] =>
  context.outline.children.map((outline) => {
    const facts = context.supervision.children.find(({ id }) => id === outline.id);
    return facts ? nodeOf(actor, outline, facts) : idleSubtree(outline, 'stopped');
  });

function nodeOf(parent: AnyActorRef, outline: Outline, facts: ChildFacts): TreeNode {
  const { id, phase, restarts, lastReason, since, generation } = facts;
  const own = { id, kind: outline.kind, ...shownPhase(phase), restarts, reason: lastReason, since };
  if (outline.kind === 'worker') return { ...own, children: [] };
  const actor = childrenOf(parent)[generationKey(id, generation)];
  const context = contextOf(actor);
  // A group that is down contains nothing running, and nothing in a waiting group has run yet.
  const children =
    actor && context
      ? childNodes(actor, context)
      : outline.children.map((child) => idleSubtree(child, phase === 'waiting' ? 'waiting' : 'stopped'));
  return { ...own, children };
}

/** The whole tree under a supervisor, as of now; an actor that is no supervisor, or has crashed, is a stopped group. */
export function treeOf(root: AnyActorRef): TreeNode {
  const context = contextOf(root);
  if (!context) return { ...idleSubtree({ id: root.id, kind: 'group', children: [] }, 'stopped'), reason: 'crashed' };
  const { outline, supervision } = context;
  return {
    id: outline.id,
    kind: 'group',
    ...shownPhase(supervision.status === 'ended' ? 'stopped' : supervision.status),
    restarts: 0,
    reason: supervision.outcome?.ended === 'failed' ? supervision.outcome.reason : null,
    since: supervision.since,
    children: childNodes(root, context),
  };
}

/** How a supervised tree ended: its output, or `root-crashed` with the error if the root itself threw. */
export const whenEnded = (root: AnyActorRef): Promise<WorkerOutcome> =>
  new Promise((resolve) => {
    const settle = (): void => {
      const snapshot: unknown = root.getSnapshot();
      const ended = typeof snapshot === 'object' && snapshot !== null ? snapshot : {};
      const output = 'output' in ended ? ended.output : undefined;
      const error = 'error' in ended ? ended.error : undefined;
      // The output of a supervisor, by its own declaration.
      resolve((output as WorkerOutcome | undefined) ?? { ended: 'failed', reason: 'root-crashed', error });
    };
    // `LiveActor` is the part of XState's actor that the kit uses.
    watchInstance(root as unknown as LiveActor, () => {}, settle);
  });
