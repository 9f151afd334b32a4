import { enqueueActions, setup } from 'xstate';

import type { WorkerOutcome } from '#machines/kit/outcome.ts';
import type { EpochMs } from '#machines/kit/units.ts';

import { crashEnd, endOf } from './crash-reason.ts';
import { failing } from './failing.ts';
import { childrenOf, generationKey, parseGenerationKey, reapOrphans } from './generation.ts';
import type { RegistryControl } from './registry.ts';
import { isGroup, outlineOf, rulesOf, SHUTDOWN, workerIds, type ChildSpec, type GroupSpec } from './spec.ts';
import { initialSupervision, supervise } from './supervision.ts';
import type { SupervisionEvent, SupervisionState } from './supervision-state.ts';
import type { SupervisionFact } from './supervision-fact.ts';
import type { SupervisorContext } from './tree.ts';

export interface SupervisorDeps {
  /** The time, for the restart window and for `since`. */
  readonly now: () => EpochMs;
  /** A number in [0, 1) that spreads the pauses before restarts. */
  readonly random: () => number;
  /** Told which workers exist, start and end. */
  readonly registry: Pick<RegistryControl, 'declared' | 'started' | 'stopped'>;
  /**
   * Folder of the running bundle; frames of errors are shown relative to it. Without it, frames in files are left out.
   */
  readonly bundle?: string;
  /** Called with what happens: ids, codes and frames only. `group` is the group's id. */
  readonly log?: (fact: SupervisionFact & { readonly group: string }) => void;
}

/** What can be sent to a supervisor. */
type SupervisorEvent =
  /** Stop all children in reverse order, each within its bound, then end. */
  | { readonly type: 'supervisor.shutdown' }
  /** A hook for tests: the child of that id, at any depth, dies at once and counts as crashed with reason `killed`. */
  | { readonly type: 'supervisor.kill'; readonly id: string }
  /** Try a parked child, at any depth, again now. */
  | { readonly type: 'supervisor.revive'; readonly id: string }
  /** Start a child, at any depth, that waits for this or is off; ignored once its group stops. */
  | { readonly type: 'supervisor.adopt'; readonly id: string }
  /** Stop a child, at any depth; it stays off until it is adopted. */
  | { readonly type: 'supervisor.dismiss'; readonly id: string };

/** What a supervisor sends to itself, and what XState sends to it; the types of the latter end in the child's key. */
type InnerEvent =
  | { readonly type: 'supervision.due'; readonly fact: SupervisionEvent }
  | { readonly type: 'supervision.stopping' }
  | { readonly type: 'supervision.ended' }
  | { readonly type: 'xstate.done.actor.*'; readonly actorId: string; readonly output: unknown }
  | { readonly type: 'xstate.error.actor.*'; readonly actorId: string; readonly error: unknown };

/** A folder that contains no file. */
const NO_BUNDLE = '/nowhere';

const holds = (spec: ChildSpec | GroupSpec, id: string): boolean =>
  spec.id === id || (isGroup(spec) && spec.children.some((child) => holds(child, id)));

/**
 * The machine that supervises a group: it only carries out what `supervise` decides, and ends with a `WorkerOutcome`.
 */
export function createSupervisor(group: GroupSpec, deps: SupervisorDeps) {
  const specs = new Map(group.children.map((spec) => [spec.id, spec]));
  const workers = workerIds(group);
  const bundle = deps.bundle ?? NO_BUNDLE;
  if (specs.size < group.children.length || new Set(workers).size < workers.length)
    throw new Error(`duplicate child id in group ${group.id}`);
  for (const id of workers) deps.registry.declared(id);

  const note = (fact: SupervisionFact): void => {
    try {
      deps.log?.({ ...fact, group: group.id });
    } catch {
      // A log that fails must not take the tree down.
    }
  };
  const begin = (spec: ChildSpec | GroupSpec): { readonly logic: ChildSpec['logic']; readonly input: unknown } => {
    try {
      return isGroup(spec)
        ? { logic: createSupervisor({ ...spec, children: spec.adopted?.() ?? spec.children }, deps), input: undefined }
        : { logic: spec.logic, input: spec.input?.() };
    } catch (error) {
      // So that it crashes, and not this supervisor.
      return { logic: failing(error), input: undefined };
    }
  };
  /** The child that an id means: one of this group, or the group under which it runs. */
  const findBelow = (supervision: SupervisionState, id: string) => {
    const spec = group.children.find((child) => holds(child, id));
    const child = supervision.children.find((facts) => facts.id === spec?.id);
    return child && { child, own: child.id === id, running: child.phase === 'running' };
  };
  const killed = (child: { readonly id: string; readonly generation: number }): SupervisionEvent => ({
    type: 'ended',
    id: child.id,
    generation: child.generation,
    how: 'failed',
    reason: 'killed',
    random: deps.random(),
  });

  return setup({
    // Type carriers by the library's own design; their values are never read.
    types: {} as { context: SupervisorContext; events: SupervisorEvent | InnerEvent; output: WorkerOutcome },
    // The children come from the specs; an empty record would tell XState's types that nothing can be spawned.
    actors: {} as Record<string, ChildSpec['logic']>,
    actions: {
      judge: enqueueActions(({ context, enqueue, self }, params: { readonly fact: SupervisionEvent }) => {
        // Computed again each time: only when a group is adopted is it known how long its children may take to stop.
        const { state, effects } = supervise(rulesOf(group), context.supervision, params.fact, deps.now());
        enqueue.assign({ supervision: state });
        if (state.status === 'stopping' && context.supervision.status !== 'stopping')
          enqueue.raise({ type: 'supervision.stopping' });
        for (const effect of effects) {
          const spec = 'id' in effect ? specs.get(effect.id) : undefined;
          const key = 'generation' in effect ? generationKey(effect.id, effect.generation) : '';
          if (effect.do === 'start' && spec) {
            // Groups have no systemId: only workers are addressed, and a group may share the name of a worker.
            const { logic, input } = begin(spec);
            enqueue.spawnChild(logic, { id: key, input, ...(isGroup(spec) ? {} : { systemId: spec.id }) });
            for (const id of isGroup(spec) ? [] : [spec.id]) enqueue(() => deps.registry.started(id));
          } else if (effect.do === 'ask-to-stop' && spec) {
            enqueue.sendTo(key, isGroup(spec) ? SHUTDOWN : (spec.stop?.event ?? SHUTDOWN));
          } else if (effect.do === 'remove' && spec) {
            enqueue(() => reapOrphans(childrenOf(self)[key]));
            enqueue.stopChild(key);
            for (const id of workerIds(spec)) enqueue(() => deps.registry.stopped(id));
          } else if (effect.do === 'release') {
            if (spec && !isGroup(spec)) enqueue(() => spec.release?.());
          } else if (effect.do === 'schedule')
            enqueue.raise({ type: 'supervision.due', fact: effect.event }, { delay: effect.delayMs });
          else if (effect.do === 'note') enqueue(() => note(effect.fact));
          else if (effect.do === 'end') enqueue.raise({ type: 'supervision.ended' });
        }
      }),
    },
  }).createMachine({
    id: group.id,
    context: { outline: outlineOf(group), supervision: initialSupervision(rulesOf(group), deps.now()) },
    entry: { type: 'judge', params: { fact: { type: 'begin' } } },
    initial: 'running',
    on: {
      'supervision.due': { actions: { type: 'judge', params: ({ event }) => ({ fact: event.fact }) } },
      'supervisor.shutdown': { actions: { type: 'judge', params: { fact: { type: 'shutdown' } } } },
      'xstate.done.actor.*': {
        actions: {
          type: 'judge',
          params: ({ event }) => ({
            fact: {
              type: 'ended',
              ...parseGenerationKey(event.actorId),
              ...endOf(event.output, bundle),
              random: deps.random(),
            },
          }),
        },
      },
      'xstate.error.actor.*': {
        actions: {
          type: 'judge',
          params: ({ event }) => ({
            fact: {
              type: 'ended',
              ...parseGenerationKey(event.actorId),
              ...crashEnd(event.error, bundle),
              random: deps.random(),
            },
          }),
        },
      },
      'supervisor.adopt': {
        actions: enqueueActions(({ context, event, enqueue }) => {
          const found = findBelow(context.supervision, event.id);
          if (found?.own) enqueue({ type: 'judge', params: { fact: { type: 'adopt', id: event.id } } });
          else if (found?.running) enqueue.sendTo(generationKey(found.child.id, found.child.generation), event);
        }),
      },
      'supervisor.dismiss': {
        actions: enqueueActions(({ context, event, enqueue }) => {
          const found = findBelow(context.supervision, event.id);
          if (found?.own) enqueue({ type: 'judge', params: { fact: { type: 'dismiss', id: event.id } } });
          else if (found?.running) enqueue.sendTo(generationKey(found.child.id, found.child.generation), event);
        }),
      },
      'supervisor.kill': {
        actions: enqueueActions(({ context, event, enqueue }) => {
          const found = findBelow(context.supervision, event.id);
          if (found?.own) enqueue({ type: 'judge', params: { fact: killed(found.child) } });
          else if (found?.running) enqueue.sendTo(generationKey(found.child.id, found.child.generation), event);
        }),
      },
      'supervisor.revive': {
        actions: enqueueActions(({ context, event, enqueue }) => {
          const found = findBelow(context.supervision, event.id);
          if (found && !found.own && found.running)
            enqueue.sendTo(generationKey(found.child.id, found.child.generation), event);
          else if (found) enqueue({ type: 'judge', params: { fact: { type: 'revive', id: found.child.id } } });
        }),
      },
    },
    states: {
      running: { on: { 'supervision.stopping': 'stopping', 'supervision.ended': 'ended' } },
      stopping: { on: { 'supervision.ended': 'ended' } },
      ended: { type: 'final' },
    },
    output: ({ context }) => context.supervision.outcome ?? { ended: 'failed', reason: 'unknown' },
  });
}
