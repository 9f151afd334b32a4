import { errorCode } from '#drivers/kit/error-code.ts';
import { type Archive, readArchive } from '#machines/backup/archive.ts';
import type { BackupEvent, RestoreOutcome } from '#machines/backup/events.ts';
import { readRestore, type RestoreRecord, restoreSection } from '#machines/backup/record.ts';
import { notRestoredWords } from '#machines/backup/words.ts';

import { type JobEnd, type Lane, oneAtATime } from '../kit/one-at-a-time.ts';
import { commitSections } from '../kit/stored-section.ts';
import type { MakeDeps } from './make.ts';
import { readPanelFacts, WHOLE_STATE } from './panel-facts.ts';
import { planRestore, type RestorePlan } from './plan.ts';

type RestoreRequest = Extract<BackupEvent, { readonly type: 'backup.restore' }>;
type Opened = { readonly archive: Archive } | Extract<RestoreOutcome, { readonly status: 'refused' }>;
/** What the work in the lane can end with. */
type Ordered = Exclude<RestoreOutcome, { readonly status: 'busy' | 'preview' | 'refused' | 'not-proven' }>;

const isRefused = (opened: Opened): opened is Extract<Opened, { readonly status: 'refused' }> => 'status' in opened;

const needsPassphrase: Opened = {
  status: 'refused',
  code: 'passphrase-required',
  message: 'This backup is encrypted: give the passphrase that it was made with.',
};
const wrongOrDamaged: Opened = {
  status: 'refused',
  code: 'wrong-passphrase-or-damaged',
  message:
    'The passphrase is wrong, or the file is damaged: the two cannot be told apart. Try again with the file and the passphrase of this backup.',
};

async function readPlain({ drivers: { readContainer } }: MakeDeps, path: string): Promise<Opened> {
  const container = await readContainer(path);
  const read = 'entries' in container ? readArchive(container.entries) : container;
  return 'archive' in read ? read : { status: 'refused', code: read.refused, message: read.message };
}

/** Decrypts and parses an archive; what it decrypts is removed again. */
async function openArchive(deps: MakeDeps, { path, passphrase }: RestoreRequest): Promise<Opened> {
  const { files, isEncrypted, decrypted } = deps.drivers;
  if (!(await isEncrypted(path))) return readPlain(deps, path);
  if (passphrase === null) return needsPassphrase;
  const plain = files.temporary('zip');
  try {
    return (await decrypted(path, plain, passphrase)) ? await readPlain(deps, plain) : wrongOrDamaged;
  } finally {
    await files.remove(plain);
  }
}

type Planned =
  | { readonly plan: RestorePlan; readonly before: RestoreRecord | null }
  | Extract<RestoreOutcome, { readonly status: 'rejected' | 'failed' }>;

/** What the archive would change of the panel as it is now. */
async function planFor(
  deps: MakeDeps,
  archive: Archive,
  { replaces, dryRun, hidesStored }: RestoreRequest,
): Promise<Planned> {
  const facts = await readPanelFacts(deps);
  // Nothing is known of what it would replace, nor of the machine.
  if (facts.unreadable.includes(WHOLE_STATE)) return { status: 'failed', reason: 'store-silent' };
  const plan = planRestore(archive, facts, { replaces, own: facts.origin, hidesStored: dryRun && hidesStored });
  return 'rejected' in plan
    ? { status: 'rejected', reasons: plan.rejected }
    : { plan, before: readRestore(facts.sections['restore']) };
}

function endOf(ordered: Ordered): JobEnd {
  if (ordered.status === 'ordered') return { ordered: 'The panel restarts to carry out the restore.' };
  if (ordered.status === 'rejected') return null;
  return { message: notRestoredWords(ordered.reason), result: { status: 'failed' } };
}

/** Stages what the plan brings and makes the order durable; nothing is in force before the next start. */
async function order(
  { registry, drivers }: MakeDeps,
  { plan, before }: Extract<Planned, { readonly plan: RestorePlan }>,
  { by, at }: RestoreRequest,
): Promise<Ordered> {
  const staged = await drivers.stage(plan, plan.revisions);
  if (!staged.ok) return { status: 'failed', reason: staged.code };
  const record: RestoreRecord = { state: 'ordered', by, at, digest: staged.digest, failure: null };
  const failure = await commitSections(registry, { restore: restoreSection(record) });
  if (failure === null) return { status: 'ordered', preview: plan.preview };
  // A late write may still be made; a second one then restores the section. If that is refused too, the order leads to
  // nothing, since what it names is removed.
  await commitSections(registry, { restore: restoreSection(before) });
  await drivers.unstage();
  return { status: 'failed', reason: failure };
}

async function carryOut(deps: MakeDeps, archive: Archive, request: RestoreRequest, lane: Lane): Promise<Ordered> {
  try {
    lane.progress('Preparing what the backup brings.');
    // Once more: settings may have changed before they were held.
    const planned = await planFor(deps, archive, request);
    return 'plan' in planned ? await order(deps, planned, request) : planned;
  } catch (error) {
    return { status: 'failed', reason: errorCode(error) };
  }
}

/**
 * True while a profile is on trial: a start in between would end the trial. While one is that a person selected, the
 * lane is taken.
 */
const isOnTrial = ({ registry }: MakeDeps): boolean => registry.read('profile-catalog')?.context.trial === true;

/** Checks an archive, and with `dryRun` only that; otherwise the next start carries it out. */
export async function restoreBackup(deps: MakeDeps, request: RestoreRequest): Promise<RestoreOutcome> {
  const { registry, now, drivers } = deps;
  try {
    if (!request.dryRun && request.proof !== null && !drivers.redeem(request.proof)) return { status: 'not-proven' };
    const opened = await openArchive(deps, request);
    if (isRefused(opened)) return opened;
    const planned = await planFor(deps, opened.archive, request);
    if (!('plan' in planned)) return planned;
    if (request.dryRun) return { status: 'preview', preview: planned.plan.preview };
    if (isOnTrial(deps)) return { status: 'busy', running: null };
    const job = { kind: 'restore', holder: 'backup', now } as const;
    const outcome = await oneAtATime(registry, job, async (lane) => {
      const ordered = await carryOut(deps, opened.archive, request, lane);
      return { value: ordered, end: endOf(ordered) };
    });
    return 'done' in outcome ? outcome.done : { status: 'busy', running: outcome.busy };
  } catch (error) {
    return { status: 'failed', reason: errorCode(error) };
  }
}
