import type { AskOutcome } from '#actors/kit/registry.ts';
import { askOf, fakeRegistry } from '#test/fakes/registry.ts';

/** The install id of the machine in these tests. */
export const INSTALL_ID = 'c0de'.repeat(8);

/**
 * A store in memory that answers, refuses or stays silent as the test says, on a machine that knows itself by
 * `installId`; "" for one that does not yet.
 */
export function memoryStore(sections: Record<string, unknown> = {}, installId = INSTALL_ID) {
  const others = fakeRegistry({ identity: { installId }, approvals: {} });
  const store = {
    sections,
    follow: others.follow,
    tell: others.tell,
    /** What other parts were told. */
    told: others.told,
    /** The identity has decided who this machine is. */
    identify: (id: string) => others.put('identity', { installId: id }),
    failure: null as string | null,
    silent: null as 'absent' | 'timeout' | null,
    commits: 0,
    /** Resolves each commit only when the test says so. */
    blocked: Promise.resolve(),
    ask: askOf(async (_id, event): Promise<AskOutcome<unknown>> => {
      if (store.silent !== null) return { ok: false, reason: store.silent };
      const answer = async (): Promise<unknown> => {
        if (event.type === 'store.read' && 'section' in event)
          return { ok: true, value: structuredClone(store.sections[String(event.section)] ?? null) };
        if (event.type === 'store.read-all' && 'sections' in event && Array.isArray(event.sections))
          return {
            ok: true,
            values: Object.fromEntries(
              event.sections.map((name: string) => [name, structuredClone(store.sections[name] ?? null)]),
            ),
          };
        await store.blocked;
        if (store.failure !== null) return { ok: false, reason: store.failure };
        if ('sections' in event) Object.assign(store.sections, structuredClone(event.sections));
        if (event.type === 'store.commit' && 'section' in event && 'value' in event)
          store.sections[String(event.section)] = structuredClone(event.value);
        store.commits += 1;
        return { ok: true };
      };
      return { ok: true, value: await answer() };
    }),
  };
  return store;
}
