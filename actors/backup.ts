import type { DriverScope } from '#drivers/kit/from-driver.ts';
import type { BackupEvent, MadeBackup, RestoreFailure, RestoreOutcome } from '#machines/backup/events.ts';
import type { BackupContext } from '#machines/backup/events.ts';
import { backup } from '#machines/backup/index.ts';
import { dueRestore } from '#machines/backup/record.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';

import { afterTrial } from './backup/after-trial.ts';
import { followAll } from './kit/follow-all.ts';
import { fromServer } from './kit/from-server.ts';
import { part, type Part } from './kit/part.ts';
import type { Registry } from './kit/registry.ts';
import { readSection } from './kit/stored-section.ts';

/** What makes and restores backups; loaded when it is first asked for. */
export interface BackupWork {
  readonly make: (request: Extract<BackupEvent, { readonly type: 'backup.make' }>) => Promise<MadeBackup>;
  readonly restore: (request: Extract<BackupEvent, { readonly type: 'backup.restore' }>) => Promise<RestoreOutcome>;
}

/** A driver's way to make a failure of a callback its own. */
type Guard = DriverScope<never, undefined, never>['guard'];

export interface BackupPartDeps {
  readonly registry: Pick<Registry, 'ask' | 'follow' | 'tell'>;
  /** When this run of the agent began. */
  readonly startedAt: EpochMs;
  readonly load: () => Promise<BackupWork>;
  /** Removes what an agent that was killed left behind. */
  readonly sweep: () => void;
  /** How long an answer has to get out before the restart that follows it. */
  readonly answerMs: Milliseconds;
  /** Why the restore that was ordered was not carried out at this start; null if it was, or if there was none. */
  readonly failure: RestoreFailure | null;
}

/** True if a restore was ordered in this run: an earlier instance of this part crashed before the restart. */
async function isOrdered({ registry, startedAt }: BackupPartDeps): Promise<boolean> {
  const order = dueRestore(await readSection(registry, 'restore'));
  return order !== null && order.at >= startedAt;
}

/** Reports that the profile of the last restore did not prove itself; returns a function that stops it. */
const followTrial = (registry: BackupPartDeps['registry'], guard: Guard): (() => void) =>
  followAll(
    registry,
    {
      maintenance: (snapshot) => snapshot?.context.last ?? null,
      'profile-catalog': (snapshot) => snapshot?.context.catalog?.activation ?? null,
    },
    guard(({ maintenance: last, 'profile-catalog': activation }) => {
      const amended = afterTrial(last, activation);
      if (last === null || amended === null) return;
      registry.tell('maintenance', { type: 'maintenance.amend', endedAt: last.endedAt, ...amended });
    }),
  );

const server = (deps: BackupPartDeps) =>
  fromServer<BackupContext, BackupEvent, MadeBackup | RestoreOutcome>({
    initial: { value: 'ready', context: { restartDue: false, failure: deps.failure } },
    failed: 'backup-server',
    serve: ({ onEvent, guard, show, answer }) => {
      const { load, answerMs, failure } = deps;
      let restarting: NodeJS.Timeout | undefined;
      const restart = (): void => show({ context: { restartDue: true, failure } });
      deps.sweep();
      guard(async () => {
        if (await isOrdered(deps)) restart();
      })();
      onEvent(async (event) => {
        const work = await load();
        if (event.type === 'backup.make') return answer(event.requestId, await work.make(event));
        const outcome = await work.restore(event);
        answer(event.requestId, outcome);
        if (outcome.status !== 'ordered') return undefined;
        restarting = setTimeout(guard(restart), answerMs);
        return undefined;
      });
      const unfollow = followTrial(deps.registry, guard);
      return () => {
        clearTimeout(restarting);
        unfollow();
      };
    },
  });

/** Makes backups and restores them; the next start carries a restore out (`bin/restore-at-start.ts`). */
export const backupSpec = (deps: BackupPartDeps): Part => part(backup, server(deps));
