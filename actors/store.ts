import type { StoredSections } from '#drivers/store/stored-sections.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';
import type {
  CommitOutcome,
  ReadAllOutcome,
  ReadOutcome,
  SnapshotOutcome,
  StoreContext,
  StoreEvent,
} from '#machines/store/events.ts';
import { afterCommit, afterLoad, afterStartOver, unloaded } from '#machines/store/facts.ts';
import { store } from '#machines/store/index.ts';

import { fromServer } from './kit/from-server.ts';
import { part, type Part } from './kit/part.ts';
import { realTimers, type Timers } from './kit/registry.ts';

export interface StoreDeps {
  /** The data folder, already locked for this process. */
  readonly folder: string;
  /** The stored sections (`storedSections()` in `drivers/store`). */
  readonly sections: StoredSections;
  /** The real time if absent. */
  readonly now?: () => EpochMs;
  /** The real ones if absent. */
  readonly timers?: Timers;
}

type StoreAnswer = CommitOutcome | ReadOutcome | ReadAllOutcome | SnapshotOutcome;

/** How long a write under way may delay the stop: the whole agent stops within five seconds. */
const CLOSING_MS: Milliseconds = 800;

const refused = { ok: false, reason: 'unknown' } as const;

/** Orders reads and commits, answers each, and shows their results. */
const storeServer = ({ folder, sections, now = Date.now, timers = realTimers }: StoreDeps) =>
  fromServer<StoreContext, StoreEvent, StoreAnswer>({
    initial: { value: 'loading', context: unloaded(folder) },
    failed: 'store-driver',
    serve: ({ onEvent, guard, show, answer, end }) => {
      let facts = unloaded(folder);
      let isStopping = false;
      let closing: unknown;

      const write = async (
        requestId: string,
        writing: () => ReturnType<StoredSections['write']>,
        after: typeof afterCommit = afterCommit,
      ): Promise<void> => {
        if (isStopping) return answer(requestId, refused);
        const { outcome, bytes } = await writing();
        facts = after(facts, outcome, { bytes, at: now() });
        show({ context: facts });
        answer(requestId, outcome);
      };
      const stop = async (): Promise<void> => {
        isStopping = true;
        show({ value: 'stopping' });
        closing = timers.setTimeout(end, CLOSING_MS);
        await sections.settled();
        end();
      };
      guard(async () => {
        facts = afterLoad(facts, await sections.load(), now());
        show({ context: facts, ...(!isStopping && { value: 'ready' }) });
      })();
      // Also while it loads: events wait in the driver.
      onEvent(async (event) => {
        switch (event.type) {
          case 'store.read': {
            const read = await sections.read([event.section]);
            return answer(event.requestId, read.ok ? { ok: true, value: read.values[event.section] } : read);
          }
          case 'store.read-all':
            return answer(event.requestId, await sections.read(event.sections));
          case 'store.commit':
            return write(event.requestId, () => sections.write({ [event.section]: event.value }));
          case 'store.commit-all':
            return write(event.requestId, () => sections.write(event.sections));
          case 'store.snapshot':
            return answer(event.requestId, await sections.snapshot());
          case 'store.start-over':
            return write(event.requestId, sections.startOver, afterStartOver);
          case 'store.stop':
            return isStopping ? undefined : stop();
        }
      });
      // A write under way at a stop is finished before the folder is released.
      return () => {
        timers.clearTimeout(closing);
        return sections.settled();
      };
    },
  });

/** The owner of the durable document: first to start, last to stop. */
export const storeSpec = (deps: StoreDeps): Part =>
  part(store, storeServer(deps), { stop: { event: { type: 'store.stop' }, withinMs: 900 } });
