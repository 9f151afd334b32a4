import type { StateValue } from 'xstate';

import type { AskOutcome, Registry } from '#actors/kit/registry.ts';
import type { NamedEvent } from '#machines/kit/actor.ts';
import type { SnapshotView } from '#machines/kit/snapshot.ts';

import { settledStates } from './states.ts';

/** A registry of fixed facts that notes what it is told; `answer` says what `ask` gets. */
export interface FakeRegistry extends Registry {
  readonly told: { readonly id: string; readonly event: NamedEvent }[];
  /** Puts facts, undefined for an absent actor, and where something is derived from it the state. */
  readonly put: (id: string, context: unknown, state?: StateValue) => void;
  answer: (id: string, event: NamedEvent) => AskOutcome<unknown>;
}

/** `ask` of a registry where one function answers every request to every actor. */
export function askOf(
  answer: (id: string, event: NamedEvent) => AskOutcome<unknown> | Promise<AskOutcome<unknown>>,
): Registry['ask'] {
  const ask = async (id: string, event: NamedEvent): Promise<AskOutcome<unknown>> => answer(id, event);
  // The question decides the type of the answer; the test that gives the answer knows both.
  return ask as Registry['ask'];
}

/** Makes one with the given contexts, by actor id. */
export function fakeRegistry(contexts: Readonly<Record<string, unknown>>): FakeRegistry {
  const facts = new Map<string, unknown>(Object.entries(contexts));
  const states = new Map<string, StateValue>();
  const told: FakeRegistry['told'] = [];
  const followers = new Map<string, Set<() => void>>();
  const view = (id: string): SnapshotView | undefined =>
    facts.has(id) ? { value: states.get(id) ?? settledStates[id] ?? 'active', context: facts.get(id) } : undefined;
  const untyped = {
    tell: (id: string, event: NamedEvent) => {
      told.push({ id, event });
      return facts.has(id) ? 'delivered' : 'absent';
    },
    read: view,
    listen: () => () => {},
    follow: (
      id: string,
      select: (snapshot: SnapshotView | undefined) => unknown,
      onChange: (value: unknown) => void,
    ) => {
      const wake = (): void => onChange(select(view(id)));
      const own = followers.get(id) ?? new Set();
      followers.set(id, own.add(wake));
      wake();
      return () => own.delete(wake);
    },
    off: () => undefined,
    ids: () => [...facts.keys()],
  };
  const fake: FakeRegistry = {
    // Facts are put by name; the test that puts them knows what the actor of that name shows.
    ...(untyped as unknown as Omit<Registry, 'ask'>),
    ask: askOf((id, event) => {
      told.push({ id, event });
      return fake.answer(id, event);
    }),
    told,
    answer: () => ({ ok: false, reason: 'absent' }),
    put: (id, context, state) => {
      if (context === undefined) facts.delete(id);
      else facts.set(id, context);
      if (state === undefined) states.delete(id);
      else states.set(id, state);
      for (const wake of followers.get(id) ?? []) wake();
    },
  };
  return fake;
}
