import type { Part } from '#actors/kit/part.ts';
import { randomBytes } from 'node:crypto';
import { backupSpec } from '#actors/backup.ts';
import { configCopiesSpec } from '#actors/config-copies.ts';
import { historySpec } from '#actors/history.ts';
import { oneAtATime } from '#actors/kit/one-at-a-time.ts';
import { logFilesSpec } from '#actors/log-files.ts';
import { maintenanceSpec } from '#actors/maintenance.ts';
import { profileCatalogSpec } from '#actors/profile-catalog.ts';
import { resetSpec } from '#actors/reset.ts';
import { serviceSpec } from '#actors/service.ts';
import { setupSpec } from '#actors/setup.ts';
import { storageHealthSpec } from '#actors/storage-health.ts';
import { updatesSpec } from '#actors/updates.ts';
import { sweepArchives } from '#drivers/backup/files.ts';
import { sweepProofs } from '#drivers/backup/owner-proof.ts';
import { revisionsFile } from '#drivers/config-copies/revisions-file.ts';
import { profileFiles } from '#drivers/profiles/files.ts';
import { selfAnswer } from '#drivers/profiles/self-answer.ts';
import { serviceNotify } from '#drivers/service/notify.ts';
import { storageDisk } from '#drivers/storage-health/disk.ts';
import { isDocument } from '#drivers/store/document.ts';
import { originDriver } from '#drivers/updates/driver.ts';
import { readBook } from '#machines/config-copies/revisions.ts';
import { chunk } from '#machines/kit/chunk.ts';
import { profileIdPattern, revisionPattern } from '#machines/profile-catalog/activation.ts';
import { trialTimes } from '#machines/profile-catalog/health.ts';
import { profileFormat } from '../profile-format.ts';
import type { PartDeps, Wiring } from './deps.ts';

const loadBackup = chunk(() => import('../backup-work.ts'));
const loadUpdates = chunk(() => import('../ask-updates.ts'));

const profilesOf = ({ registry, profile, boot, now, version, ...deps }: PartDeps): Part =>
  profileCatalogSpec({
    registry,
    boot,
    now,
    version,
    files: profileFiles(deps.folder, { id: profileIdPattern, revision: revisionPattern }),
    format: profileFormat(deps.askedProfile, deps.defaultProfile),
    generateToken: () => randomBytes(24).toString('base64url'),
    screen: profile.slots.screen.length > 0,
    answers: selfAnswer(() => registry.read('http')?.context.port ?? -1),
    ...(deps.trialTimes === undefined ? {} : { times: deps.trialTimes }),
  });

const configCopiesOf = ({ registry, now, folder }: PartDeps): Part =>
  configCopiesSpec({
    registry,
    now,
    file: revisionsFile({ folder, parse: readBook }),
    inLane: (kind, work) => oneAtATime(registry, { kind, holder: 'config-copies', now }, work),
  });

/** What is remembered and maintained, and the link to the service manager. */
export const upkeepParts: Wiring = (deps) => [
  maintenanceSpec({
    registry: deps.registry,
    now: deps.now,
    run: randomBytes(8).toString('hex'),
    generateToken: () => randomBytes(16).toString('hex'),
  }),
  historySpec({ registry: deps.registry, now: deps.now, startedAt: deps.now() }),
  profilesOf(deps),
  resetSpec({
    registry: deps.registry,
    now: deps.now,
    answerMs: (deps.trialTimes ?? trialTimes).answerMs,
    comesBack: deps.comesBack,
    failure: deps.resetFailure,
  }),
  backupSpec({
    registry: deps.registry,
    startedAt: deps.now(),
    load: async () => (await loadBackup()).backupWork(deps),
    sweep: () => {
      sweepArchives(deps.folder);
      sweepProofs(deps.folder);
    },
    answerMs: (deps.trialTimes ?? trialTimes).answerMs,
    failure: deps.restoreFailure,
  }),
  configCopiesOf(deps),
  storageHealthSpec({
    registry: deps.registry,
    now: deps.now,
    driver: storageDisk({ folder: deps.folder, document: deps.document, check: isDocument }),
  }),
  logFilesSpec({ files: deps.logStore.driver }),
  setupSpec({ registry: deps.registry, now: deps.now }),
  updatesSpec({
    origin: originDriver(async (signal) => (await loadUpdates()).askUpdates(performance.timeOrigin, signal)),
  }),
  serviceSpec({
    driver: serviceNotify(deps.service.socket ?? ''),
    listening: deps.service.listening,
    heartbeatMs: deps.service.heartbeatMs,
  }),
];
