import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { RecipientChange, SettingsContext, WriterCommand, WriterFact } from '#machines/settings/events.ts';
import { MOST_JOINED, paidAfter, pauseBefore } from '#machines/settings/pace.ts';
import { publicFacts } from '#machines/settings/stored.ts';

import { realTimers, type Timers } from '../kit/registry.ts';
import { type JobDeps, type Merge, writerJobs, type Written } from './jobs.ts';

/** The clock by which saves are joined. */
export interface WriterClock extends Timers {
  readonly now: () => Milliseconds;
}

/** What the writer of the settings is wired to. */
export interface WriterDeps extends JobDeps {
  /** Options whose files others can read. */
  readonly openFiles: readonly string[];
  /** The real clock where left out. */
  readonly clock?: WriterClock;
}

const realClock: WriterClock = { ...realTimers, now: () => performance.now() };

/**
 * The writer: one job at a time, secrets only inside it. Saves that come faster than commits may be made are joined:
 * all that wait go into the next one, and are answered with its outcome.
 */
export const settingsWriter = ({ openFiles, clock = realClock, ...deps }: WriterDeps) =>
  fromDriver<WriterCommand, undefined, WriterFact>(({ send, onEvent }) => {
    const queue: WriterCommand[] = [];
    let isServing = false;
    let isClosing = false;
    let paidAt: Milliseconds = 0;
    let timer: unknown = null;
    let wake: () => void = () => {};
    let recipientChange: RecipientChange | null = null;
    const jobs = writerJobs(deps, () => {
      paidAt = paidAfter(paidAt, clock.now());
    });

    const factsOf = ({ read, change }: Written<unknown>): SettingsContext | null => {
      recipientChange = change ?? recipientChange;
      return read === null ? null : publicFacts(read, { openFiles, recipientChange });
    };
    const tell = (
      requestId: string,
      written: Written<Extract<WriterFact, { readonly type: 'writer.merged' }>['outcome']>,
    ): void => send({ type: 'writer.merged', requestId, outcome: written.outcome, facts: factsOf(written) });
    const mayCommit = async (): Promise<void> => {
      const pauseMs = pauseBefore(paidAt, clock.now());
      if (pauseMs === 0 || isClosing) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
        timer = clock.setTimeout(resolve, pauseMs);
      });
      clock.clearTimeout(timer);
    };
    /** The saves at the head of the queue, as many as are joined. */
    const takeMerges = (): readonly Merge[] => {
      const other = queue.findIndex(({ type }) => type !== 'writer.merge');
      const taken = queue.splice(0, Math.min(MOST_JOINED, other === -1 ? queue.length : other));
      return taken.filter((command) => command.type === 'writer.merge');
    };
    const serveMerges = async (): Promise<void> => {
      await mayCommit();
      const merges = takeMerges();
      const merged = await jobs.mergeAll(merges);
      const facts = factsOf(merged);
      for (const [index, { requestId }] of merges.entries()) {
        const outcome = merged.outcome[index];
        if (outcome !== undefined) send({ type: 'writer.merged', requestId, outcome, facts });
      }
    };
    const serve = async (command: Exclude<WriterCommand, Merge>): Promise<void> => {
      switch (command.type) {
        case 'writer.load': {
          const loaded = await jobs.upgrade();
          const facts = loaded === null ? null : factsOf(loaded);
          return send(facts === null ? { type: 'writer.unread' } : { type: 'writer.loaded', facts });
        }
        case 'writer.assign':
          return tell(command.requestId, await jobs.assign(command));
        case 'writer.provision':
          return tell(command.requestId, await jobs.provision(command.values));
        case 'writer.close':
          return send({ type: 'writer.closed' });
      }
    };
    // Where a job throws the driver crashes, and what is queued is not done beside the one started in its place.
    const serveAll = async (): Promise<void> => {
      if (isServing) return;
      isServing = true;
      for (let head = queue[0]; head !== undefined; head = queue[0]) {
        if (head.type === 'writer.merge') await serveMerges();
        else {
          queue.shift();
          await serve(head);
        }
      }
      isServing = false;
    };
    onEvent((command) => {
      queue.push(command);
      // What waits is committed now.
      if (command.type === 'writer.close') {
        isClosing = true;
        wake();
      }
      return serveAll();
    });
    return () => {
      queue.length = 0;
      clock.clearTimeout(timer);
    };
  });
