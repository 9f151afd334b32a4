import type { Milliseconds } from '#machines/kit/units.ts';
import type {
  AssignOutcome,
  HoldOutcome,
  MergeOutcome,
  ProvisionOutcome,
  RecipientChange,
  SettingsContext,
  SettingsEvent,
} from '#machines/settings/events.ts';
import type { SettingsChange } from '#machines/settings/hold.ts';
import { MOST_JOINED, paidAfter, pauseBefore } from '#machines/settings/rate-limit.ts';
import { publicFacts, unread } from '#machines/settings/stored.ts';

import { fromServer } from '../kit/from-server.ts';
import { realTimers, type Timers } from '../kit/registry.ts';
import { createHolding } from './holding.ts';
import { type JobDeps, type Merge, writerJobs, type Written } from './jobs.ts';

/** The clock by which saves are joined. */
interface WriterClock extends Timers {
  readonly now: () => Milliseconds;
}

export interface WriterDeps extends JobDeps {
  /** Options whose files others can read. */
  readonly openFiles: readonly string[];
  /** The real clock if absent. */
  readonly clock?: WriterClock;
}

type Answer = MergeOutcome | ProvisionOutcome | AssignOutcome | HoldOutcome;
type Hold = Extract<SettingsEvent, { readonly type: 'settings.hold' }>;
/** Jobs, served in order, one after another. */
type Job = SettingsChange | Hold | { readonly type: 'load' | 'close' };

const realClock: WriterClock = { ...realTimers, now: () => performance.now() };

/** Pause before a store that did not answer is asked again. */
const RELOAD_MS: Milliseconds = 1000;
/** How long a save under way may delay the stop; its write goes on in the store, which stops later. */
const CLOSING_MS: Milliseconds = 250;

const stopping = { status: 'commit-failed', reason: 'stopping' } as const;
const busy = { status: 'busy' } as const;

const isChange = (job: Job): job is SettingsChange =>
  job.type === 'settings.merge' || job.type === 'settings.assign' || job.type === 'settings.provision';

/**
 * The one writer of the configuration: one job at a time, secrets only inside it. Saves that come faster than commits
 * are allowed are joined: all that wait share one commit and its outcome. While a job holds the settings, only its own
 * saves are made (`machines/settings/hold.ts`).
 */
export const settingsWriter = ({ openFiles, clock = realClock, ...deps }: WriterDeps) =>
  fromServer<SettingsContext, SettingsEvent, Answer>({
    initial: { value: 'loading', context: unread },
    failed: 'settings-writer',
    serve: ({ onEvent, guard, show, answer, end }) => {
      const queue: Job[] = [];
      let isServing = false;
      let isClosing = false;
      let paidAt: Milliseconds = 0;
      let pause: unknown;
      let reload: unknown;
      let closing: unknown;
      let wake: () => void = () => {};
      let recipientChange: RecipientChange | null = null;
      const jobs = writerJobs(deps, () => {
        paidAt = paidAfter(paidAt, clock.now());
      });

      /** Shows what is now in force; if the store did not answer, that does not change. */
      const accept = ({ read, change }: Written<unknown>, value?: 'ready'): void => {
        recipientChange = change ?? recipientChange;
        if (read === null) return;
        show({ context: publicFacts(read, { openFiles, recipientChange }), ...(value && !isClosing && { value }) });
      };
      const tell = (requestId: string, written: Written<Answer>): void => {
        accept(written);
        answer(requestId, written.outcome);
      };
      const load = async (): Promise<void> => {
        const loaded = await jobs.upgrade();
        if (loaded !== null) return accept(loaded, 'ready');
        if (isClosing) return;
        show({ value: 'waiting' });
        reload = clock.setTimeout(
          guard(() => {
            if (isClosing) return undefined;
            show({ value: 'loading' });
            return take({ type: 'load' });
          }),
          RELOAD_MS,
        );
      };
      const mayCommit = async (): Promise<void> => {
        const pauseMs = pauseBefore(paidAt, clock.now());
        if (pauseMs === 0 || isClosing) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
          pause = clock.setTimeout(resolve, pauseMs);
        });
        clock.clearTimeout(pause);
      };
      /** The saves at the head of the queue, as many as may be joined. */
      const takeMerges = (): readonly Merge[] => {
        const other = queue.findIndex(({ type }) => type !== 'settings.merge');
        const taken = queue.splice(0, Math.min(MOST_JOINED, other === -1 ? queue.length : other));
        return taken.filter((job) => job.type === 'settings.merge');
      };
      const serveMerges = async (): Promise<void> => {
        await mayCommit();
        const merges = takeMerges();
        const merged = await jobs.mergeAll(merges);
        accept(merged);
        for (const [index, { requestId }] of merges.entries()) {
          const outcome = merged.outcome[index];
          if (outcome !== undefined) answer(requestId, outcome);
        }
      };
      /** Changes that were asked for after the hold, but before it began, wait like all later ones. */
      const hold = ({ requestId, token }: Hold): void => {
        const isHeld = holding.begin(token);
        if (isHeld)
          queue.splice(0, queue.length, ...queue.splice(0).filter((job) => !isChange(job) || holding.admits(job)));
        answer(requestId, isHeld ? { status: 'held' } : busy);
      };
      const release = (token: string): void => {
        const at = queue.findIndex((job) => job.type === 'settings.hold' && job.token === token);
        const [given] = at === -1 ? [] : queue.splice(at, 1);
        if (given?.type === 'settings.hold') answer(given.requestId, busy);
        holding.end(token);
      };
      const serve = async (job: Exclude<Job, Merge>): Promise<void> => {
        switch (job.type) {
          case 'load':
            return load();
          case 'settings.assign':
            return tell(job.requestId, await jobs.assign(job));
          case 'settings.provision':
            return tell(job.requestId, await jobs.provision(job.values));
          case 'settings.hold':
            return hold(job);
          case 'close':
            return end();
        }
      };
      // If a job throws, the writer crashes, and the queue is not served beside the writer that replaces it.
      const serveAll = async (): Promise<void> => {
        if (isServing) return;
        isServing = true;
        for (let head = queue[0]; head !== undefined; head = queue[0]) {
          if (head.type === 'settings.merge') await serveMerges();
          else {
            queue.shift();
            await serve(head);
          }
        }
        isServing = false;
      };
      const take = (...taken: readonly Job[]): Promise<void> => {
        queue.push(...taken);
        return serveAll();
      };
      const holding = createHolding({
        clock,
        guard,
        busy: ({ requestId }) => answer(requestId, busy),
        resume: (changes) => guard(() => take(...changes))(),
      });
      const stop = (): Promise<void> => {
        isClosing = true;
        show({ value: 'stopping' });
        closing = clock.setTimeout(end, CLOSING_MS);
        for (const { requestId } of holding.close()) answer(requestId, stopping);
        // Commits what waits now.
        wake();
        return take({ type: 'close' });
      };
      // Also while it loads: events are served in order, and each job reads the store itself.
      onEvent((event) => {
        if (event.type === 'settings.stop') return isClosing ? undefined : stop();
        if (event.type === 'settings.release') return release(event.token);
        if (isClosing) return answer(event.requestId, event.type === 'settings.hold' ? busy : stopping);
        return event.type === 'settings.hold' || holding.admits(event) ? take(event) : undefined;
      });
      guard(() => take({ type: 'load' }))();
      return () => {
        queue.length = 0;
        holding.close();
        for (const timer of [pause, reload, closing]) clock.clearTimeout(timer);
      };
    },
  });
