import type { AskOutcome, NamedEvent, Registry } from '#actors/kit/registry.ts';
import type { SnapshotView } from '#machines/kit/snapshot.ts';

/** A registry of fixed facts that notes what it is told; `answer` says what `ask` gets. */
export interface FakeRegistry extends Registry {
  readonly told: { readonly id: string; readonly event: NamedEvent }[];
  readonly put: (id: string, context: unknown) => void;
  answer: (id: string, event: NamedEvent) => AskOutcome<unknown>;
}

/** Makes one with the given contexts, by actor id. */
export const fakeRegistry = (contexts: Readonly<Record<string, unknown>>): FakeRegistry => {
  const facts = new Map<string, unknown>(Object.entries(contexts));
  const told: FakeRegistry['told'] = [];
  const followers = new Map<string, Set<() => void>>();
  const view = (id: string): SnapshotView | undefined =>
    facts.has(id) ? { value: 'active', context: facts.get(id) } : undefined;
  const fake: FakeRegistry = {
    told,
    answer: () => ({ ok: false, reason: 'absent' }),
    put: (id, context) => {
      if (context === undefined) facts.delete(id);
      else facts.set(id, context);
      for (const wake of followers.get(id) ?? []) wake();
    },
    tell: (id, event) => {
      told.push({ id, event });
      return facts.has(id) ? 'delivered' : 'absent';
    },
    // The test that puts a context knows its type.
    read: <C>(id: string) => view(id) as SnapshotView<C> | undefined,
    ask: async <T>(id: string, event: NamedEvent) => {
      told.push({ id, event });
      return fake.answer(id, event) as AskOutcome<T>;
    },
    listen: () => () => {},
    follow: (id, select, onChange) => {
      const wake = (): void => onChange(select(view(id)));
      const own = followers.get(id) ?? new Set();
      followers.set(id, own.add(wake));
      wake();
      return () => own.delete(wake);
    },
    ids: () => [...facts.keys()],
  };
  return fake;
};
