import { consentKeys } from '#machines/settings/consents.ts';
import { type Backoff, backoffDelay } from '#machines/kit/backoff.ts';
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
import { publicFacts, type ReadSettings, unread } from '#machines/settings/stored.ts';
import { descriptorOf } from '#machines/settings.ts';

import { fromServer } from '../kit/from-server.ts';
import { realTimers, type Registry, type Timers } from '../kit/registry.ts';
import { createHolding } from './holding.ts';
import { followInstallId } from './install-id.ts';
import { type JobDeps, writerJobs, type Written } from './jobs.ts';
import type { Merge } from './judge-merge.ts';
import { createOffs, shownWith } from './offs.ts';

/** The clock by which saves are joined. */
interface WriterClock extends Timers {
  readonly now: () => Milliseconds;
}

export interface WriterDeps extends JobDeps {
  readonly registry: Pick<Registry, 'ask' | 'follow' | 'tell'>;
  /** Options whose files others can read. */
  readonly openFiles: readonly string[];
  /** The real clock if absent. */
  readonly clock?: WriterClock;
}

type Answer = MergeOutcome | ProvisionOutcome | AssignOutcome | HoldOutcome;
type Hold = Extract<SettingsEvent, { readonly type: 'settings.hold' }>;
/** Jobs, served in order, one after another. */
type OwnJob = Hold | { readonly type: 'load' | 'close' };
type Job = SettingsChange | OwnJob | { readonly type: 'off' };

const realClock: WriterClock = { ...realTimers, now: () => performance.now() };

/** Pause before a store that did not answer is asked again. */
const RELOAD_MS: Milliseconds = 1000;
/** How long a save under way may delay the stop; its write goes on in the store, which stops later. */
const CLOSING_MS: Milliseconds = 250;

/** How long the first load waits for the install id, if a consent depends on it; then it counts as unknown. */
const IDENTITY_MS: Milliseconds = 2000;
/** Pauses before what was turned off is written again. */
const OFF_AGAIN: Backoff = { firstMs: 1000, capMs: 60_000, jitter: 0 };

const stopping = { status: 'commit-failed', reason: 'stopping' } as const;
const busy = { status: 'busy' } as const;

const isChange = (job: Job): job is SettingsChange =>
  job.type === 'settings.merge' || job.type === 'settings.assign' || job.type === 'settings.provision';

/**
 * The one writer of the configuration: one job at a time, secrets only inside it. Saves that come faster than commits
 * are allowed are joined: all that wait share one commit and its outcome. While a job holds the settings, only its own
 * saves are made (`machines/settings/hold.ts`).
 */
export function settingsWriter({ registry, openFiles, clock = realClock, ...deps }: WriterDeps) {
  // It outlasts a crash: what was turned off stays off, although the disk may still have it as on.
  const offs = createOffs();
  return fromServer<SettingsContext, SettingsEvent, Answer>({
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
      /** What the disk has; null until it was read. */
      let stored: ReadSettings | null = null;
      let context = unread;
      /** Failed attempts to write what was turned off. */
      let offAttempts = 0;
      let offAgain: unknown;
      const installId = followInstallId(
        registry,
        clock,
        guard(() => (stored === null ? undefined : take({ type: 'load' }))),
      );

      /** Shows what is now in force: what is stored, but for what was turned off since. */
      const present = (value?: 'ready'): void => {
        if (stored === null) return;
        const pending = offs.pending();
        const unsavedOff = offAttempts === 0 ? [] : [...pending.keys()];
        context = publicFacts(shownWith(stored, pending), { openFiles, recipientChange, unsavedOff });
        show({ context, ...(value && !isClosing && { value }) });
      };
      /** Takes the result of a job; if the store did not answer, what is stored does not change. */
      const accept = ({ read, change }: Written<unknown>, value?: 'ready'): void => {
        recipientChange = change ?? recipientChange;
        stored = read ?? stored;
        present(value);
      };
      /** Keeps off what was turned off, before that is written: whatever follows a setting acts on this. */
      const enforce = (keys: readonly string[]): void => {
        if (keys.length === 0) return;
        present();
        for (const key of keys) {
          const operation = descriptorOf(key)?.consent ?? null;
          // A question that waits is answered by this, too.
          if (operation !== null) registry.tell('approvals', { type: 'approval.withdraw', operation });
        }
        guard(() => take({ type: 'off' }))();
      };
      const turnOff = (keys: readonly string[]): void => {
        offs.add(keys);
        enforce(keys);
      };
      const jobs = writerJobs(
        { registry, ...deps },
        {
          onCommit: () => {
            paidAt = paidAfter(paidAt, clock.now());
          },
          installId: installId.known,
          offs,
        },
      );
      const tell = (requestId: string, written: Written<Answer>): void => {
        accept(written);
        answer(requestId, written.outcome);
      };
      const load = async (): Promise<void> => {
        // What was agreed to on this machine is never shown as off first, nor what was agreed to on another one as on.
        if (stored === null && installId.known() === null && (await jobs.hasConsents()) === true)
          await installId.whenKnown(IDENTITY_MS);
        const loaded = await jobs.upgrade();
        if (loaded !== null) {
          accept(loaded, 'ready');
          // Of a writer that crashed before it was durable.
          if (offs.pending().size > 0) queue.push({ type: 'off' });
          return;
        }
        if (isClosing) return;
        if (stored === null) show({ value: 'waiting' });
        reload = clock.setTimeout(
          guard(() => {
            if (isClosing) return undefined;
            if (stored === null) show({ value: 'loading' });
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
      /** The saves at the head of the queue, as many as may be joined; what was turned off is written with them. */
      const takeMerges = (): readonly Merge[] => {
        const other = queue.findIndex(({ type }) => type !== 'settings.merge' && type !== 'off');
        const taken = queue.splice(0, Math.min(MOST_JOINED, other === -1 ? queue.length : other));
        return taken.filter((job) => job.type === 'settings.merge');
      };
      /** Tries again, later and later, until what was turned off is durable. */
      const noteOffs = (isWritten: boolean): void => {
        const isDone = offs.pending().size === 0;
        offAttempts = isDone ? 0 : offAttempts + (isWritten ? 0 : 1);
        clock.clearTimeout(offAgain);
        if (isDone || isWritten || isClosing) return;
        const again = guard(() => take({ type: 'off' }));
        offAgain = clock.setTimeout(again, backoffDelay(OFF_AGAIN, offAttempts, 0));
      };
      const serveMerges = async (): Promise<void> => {
        await mayCommit();
        const merges = takeMerges();
        if (merges.length === 0 && offs.pending().size === 0) return;
        const merged = await jobs.mergeAll(merges);
        noteOffs(merged.read !== null);
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
      const serve = async (job: Exclude<Job, Merge | { readonly type: 'off' }>): Promise<void> => {
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
          if (head.type === 'settings.merge' || head.type === 'off') await serveMerges();
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
        return take({ type: 'off' }, { type: 'close' });
      };
      // Also while it loads: events are served in order, and each job reads the store itself.
      onEvent((event) => {
        if (event.type === 'settings.stop') return isClosing ? undefined : stop();
        if (event.type === 'settings.release') return release(event.token);
        if (event.type === 'settings.off') return turnOff(event.keys.filter((key) => consentKeys.includes(key)));
        if (isClosing) return answer(event.requestId, event.type === 'settings.hold' ? busy : stopping);
        const off =
          event.type === 'settings.merge' ? offs.arrive(event, { shown: context, stored, mode: deps.mode() }) : [];
        const taken = event.type === 'settings.hold' || holding.admits(event) ? take(event) : undefined;
        enforce(off);
        return taken;
      });
      guard(() => take({ type: 'load' }))();
      return () => {
        queue.length = 0;
        holding.close();
        installId.end();
        for (const timer of [pause, reload, closing, offAgain]) clock.clearTimeout(timer);
      };
    },
  });
}
