import type { StateValue } from 'xstate';

import type { ActorId, ContextOf } from '#machines/actors.ts';
import type { ProjectionInput } from '#machines/subsystem.ts';

import { settledStates } from './states.ts';

/**
 * What projections are made from, over fixed public facts by actor id; an actor that is left out is absent. Its state
 * is that of a panel where all is well, unless `states` has another.
 */
export const factsFrom = (
  contexts: Readonly<Record<string, unknown>>,
  states: Readonly<Record<string, StateValue>> = {},
): ProjectionInput => ({
  // Facts are put by name; the test that puts them knows what the actor of that name shows.
  read: <R extends ActorId>(id: R) => contexts[id] as ContextOf<R> | undefined,
  view: <R extends ActorId>(id: R) =>
    id in contexts && contexts[id] !== undefined
      ? { value: states[id] ?? settledStates[id] ?? 'active', context: contexts[id] as ContextOf<R> }
      : undefined,
  now: 1_700_000_000_000,
  elapsed: 1_000_000,
  startedAt: 1_699_999_000_000,
  version: '0.1.0',
  build: 'abcdef01',
  tree: { id: 'root', kind: 'group', phase: 'running', off: false, restarts: 0, reason: null, since: 1, children: [] },
  supervised: [],
});
