import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';
import { holdsSettings, mayBegin } from '#machines/maintenance/admit.ts';
import type { BeginOutcome, MaintenanceContext, MaintenanceEvent, RunningJob } from '#machines/maintenance/events.ts';
import { maintenance } from '#machines/maintenance/index.ts';
import { profileEnd } from '#machines/maintenance/profile-end.ts';
import {
  afterEnd,
  boundedMessage,
  type JobOutcome,
  judgeFound,
  type MaintenanceRecord,
  maintenanceSection,
  readMaintenance,
  type StoredJob,
} from '#machines/maintenance/stored.ts';
import { begunWords, brokenWords, profileWords } from '#machines/maintenance/words.ts';

import { fromServer } from './kit/from-server.ts';
import { part, type Part } from './kit/part.ts';
import type { Registry } from './kit/registry.ts';
import { storedSection } from './kit/stored-section.ts';

export interface MaintenanceDeps {
  readonly registry: Pick<Registry, 'ask' | 'follow' | 'ids' | 'tell'>;
  readonly now: () => EpochMs;
  /** Names this run of the agent. */
  readonly run: string;
  /** A name that cannot be guessed. */
  readonly generateToken: () => string;
}

/** How long the saves before a job may take: reading and writing the store, as a rule a few milliseconds. */
const HOLD_MS: Milliseconds = 6000;

interface Job {
  readonly running: RunningJob;
  /** Stops following the actor that does it. */
  readonly unfollow: () => void;
}

type Begin = Extract<MaintenanceEvent, { readonly type: 'maintenance.begin' }>;
type Amend = Extract<MaintenanceEvent, { readonly type: 'maintenance.amend' }>;
type Later = Exclude<MaintenanceEvent, Begin | Amend>;

const unread: MaintenanceContext = { running: null, last: null, lastBackupAt: null };
const busy = (running: RunningJob | null): BeginOutcome => ({ status: 'busy', running });
function noFollower(): void {}

/** Admits one job at a time, holds the settings for it, and remembers how the last one ended. */
const lane = ({ registry, now, run, generateToken }: MaintenanceDeps) =>
  fromServer<MaintenanceContext, MaintenanceEvent, BeginOutcome>({
    initial: { value: 'reading', context: unread },
    failed: 'maintenance',
    serve: (scope) => {
      const { onEvent, guard, show, answer } = scope;
      const store = storedSection<MaintenanceRecord>(registry, scope, {
        section: 'maintenance',
        parse: readMaintenance,
        format: maintenanceSection,
        rateLimit: 'at-once',
      });
      /** Null until it was read. */
      let record: MaintenanceRecord | null = null;
      let job: Job | null = null;

      const present = (): void =>
        show({
          value: record === null ? 'reading' : job === null ? 'idle' : 'running',
          context: {
            running: job?.running ?? null,
            last: record?.last ?? null,
            lastBackupAt: record?.lastBackupAt ?? null,
          },
        });
      const keep = (next: MaintenanceRecord): Promise<void> => {
        record = next;
        present();
        return store.keep(next);
      };
      const update = (running: RunningJob): void => {
        if (job !== null) job = { ...job, running };
      };
      const keepRunning = (running: RunningJob): Promise<void> => {
        const { token, kind, since, isOrdered } = running;
        const stored: StoredJob = { token, kind, since, ordered: isOrdered, run };
        return record === null ? Promise.resolve() : keep({ ...record, running: stored });
      };
      const hold = async (token: string): Promise<boolean> => {
        const asked = await registry.ask('settings', { type: 'settings.hold', token }, HOLD_MS);
        return asked.ok && asked.value.status === 'held';
      };
      const release = (token: string): void => void registry.tell('settings', { type: 'settings.release', token });
      /** Ends the job; null leaves no record of it. */
      const finish = (outcome: JobOutcome | null): Promise<void> => {
        if (job === null || record === null) return Promise.resolve();
        const { running, unfollow } = job;
        job = null;
        unfollow();
        if (running.changes) release(running.token);
        return keep(outcome === null ? { ...record, running: null } : afterEnd(record, running, outcome));
      };
      const isOver = (token: string): boolean => job?.running.token !== token;
      /** The job fails once the actor that does it is not there. */
      const followHolder = ({ token, kind }: RunningJob, holder: string): (() => void) => {
        const id = registry.ids().find((one) => one === holder);
        const lose = guard(async (isThere: boolean) => {
          if (isThere || isOver(token)) return;
          await finish({ at: now(), message: brokenWords(kind), result: { status: 'failed' } });
        });
        if (id === undefined) {
          lose(false);
          return noFollower;
        }
        return registry.follow(id, (snapshot) => snapshot !== undefined, lose);
      };
      const begin = async ({ requestId, kind, holder, at }: Begin): Promise<void> => {
        if (record === null) return answer(requestId, busy(null));
        if (!mayBegin(job?.running ?? null, kind)) return answer(requestId, busy(job?.running ?? null));
        if (job !== null) void finish({ at, message: profileWords.replaced, result: { status: 'skipped' } });
        const token = generateToken();
        const changes = holdsSettings(kind);
        const running = { token, kind, changes, since: at, message: begunWords(kind), isOrdered: false };
        job = { running, unfollow: noFollower };
        const kept = keepRunning(running);
        const unfollow = followHolder(running, holder);
        if (isOver(token)) return answer(requestId, busy(null));
        job = { running, unfollow };
        const [isHeld] = await Promise.all([!changes || hold(token), kept]);
        if (isOver(token)) {
          // It may have been held after the job had ended.
          release(token);
          return answer(requestId, busy(null));
        }
        if (!isHeld) {
          await finish(null);
          return answer(requestId, busy(null));
        }
        answer(requestId, { status: 'begun', token });
      };
      const advance = async (event: Later): Promise<void> => {
        if (job === null || isOver(event.token)) return;
        const { running, unfollow } = job;
        switch (event.type) {
          case 'maintenance.progress':
            update({ ...running, message: boundedMessage(event.message) });
            return present();
          case 'maintenance.order':
            // From here on nothing in this process can undo it.
            unfollow();
            update({ ...running, message: boundedMessage(event.message), isOrdered: true });
            return keepRunning({ ...running, isOrdered: true });
          case 'maintenance.end':
            return finish(event);
          case 'maintenance.leave':
            return finish(null);
        }
      };
      const amend = ({ endedAt, message, result }: Amend): Promise<void> => {
        const last = record?.last ?? null;
        if (record === null || last?.endedAt !== endedAt) return Promise.resolve();
        return keep({ ...record, last: { ...last, message: boundedMessage(message), result } });
      };
      /** Goes on with a job of an earlier start, or of an earlier instance of this actor. */
      const resume = (found: StoredJob): void => {
        const { token, kind, since } = found;
        const isHere = found.run === run;
        const message = isHere ? begunWords(kind) : profileWords.trial;
        const running = { token, kind, changes: isHere, since, message, isOrdered: true };
        job = { running, unfollow: noFollower };
        if (isHere) return present();
        const unfollow = registry.follow(
          'profile-catalog',
          (snapshot) => profileEnd(snapshot?.context, since),
          guard(async (end) => {
            if (end === null || isOver(token)) return;
            await finish({ at: now(), message: end.message, result: { status: end.status } });
          }),
        );
        if (!isOver(token)) job = { running, unfollow };
        present();
      };
      const recall = (found: MaintenanceRecord): Promise<void> => {
        record = found;
        const { running } = found;
        if (running === null) {
          present();
          return Promise.resolve();
        }
        const judged = judgeFound(running, run);
        if (judged.goesOn) {
          resume(running);
          return Promise.resolve();
        }
        release(running.token);
        return keep(afterEnd(found, running, { at: now(), message: judged.message, result: { status: 'failed' } }));
      };

      store.recall(guard(recall));
      onEvent((event) => {
        if (event.type === 'maintenance.begin') return begin(event);
        return event.type === 'maintenance.amend' ? amend(event) : advance(event);
      });
      // A writer of the settings that was restarted no longer knows that they are held.
      let wereThere = true;
      const unfollowSettings = registry.follow(
        'settings',
        (snapshot) => snapshot !== undefined,
        guard(async (areThere) => {
          const isBack = areThere && !wereThere;
          wereThere = areThere;
          if (isBack && job?.running.changes === true) await hold(job.running.token);
        }),
      );
      return () => {
        unfollowSettings();
        job?.unfollow();
        return store.end();
      };
    },
  });

/** The jobs of the panel, one at a time. */
export const maintenanceSpec = (deps: MaintenanceDeps): Part => part(maintenance, lane(deps));
