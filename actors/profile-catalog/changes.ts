import type { ProfileFiles } from '#drivers/profiles/files.ts';
import {
  afterChange,
  afterDeletion,
  afterSelection,
  type ProfileRef,
  type ProfileSelection,
  refOf,
} from '#machines/profile-catalog/activation.ts';
import {
  admitDeletion,
  admitImport,
  admitPlatform,
  admitRollback,
  admitSelection,
  type CatalogRefusal,
  type CatalogStatus,
} from '#machines/profile-catalog/admit.ts';
import type { ProfilesBoot } from '#machines/profile-catalog/boot.ts';
import type { ProfilePlatform } from '#machines/profile-catalog/reading.ts';
import type {
  ActivationRequest,
  ChangeRefused,
  DeleteOutcome,
  ImportOutcome,
  JudgedActivation,
  SelectOutcome,
} from '#machines/profile-catalog/requests.ts';
import type { EpochMs } from '#machines/kit/units.ts';

import type { ActivationFile } from './activation-file.ts';
import type { ProfileFormat } from './format.ts';
import type { ProfileRevisions } from './revisions.ts';

export interface ChangeDeps {
  readonly files: ProfileFiles;
  readonly format: ProfileFormat;
  readonly boot: ProfilesBoot;
  readonly revisions: ProfileRevisions;
  readonly activation: ActivationFile;
  readonly now: () => EpochMs;
}

/** The changes of the catalogue, each on disk before it is answered; they must not overlap. */
export interface CatalogChanges {
  /** If a selection or a rollback would be made now. */
  readonly judge: (change: ActivationRequest) => Promise<JudgedActivation>;
  readonly activate: (change: ActivationRequest) => Promise<SelectOutcome>;
  /** Saves bytes; `allowed` says if they were previewed. */
  readonly import: (bytes: Uint8Array, allowed: (revision: string) => boolean) => Promise<ImportOutcome>;
  readonly remove: (ref: ProfileRef, expected: number) => Promise<DeleteOutcome>;
}

const refused = (code: ChangeRefused['code'], message: string): ChangeRefused => ({ status: 'refused', code, message });
const unwritten = (trouble: string): ChangeRefused =>
  refused(
    'commit-failed',
    `Nothing was changed: the disk refused the write (${trouble}). Free or repair the disk and try again.`,
  );
const notAdmitted = (refusal: { readonly reason: CatalogRefusal; readonly message: string }): ChangeRefused =>
  refused(refusal.reason, refusal.message);

export function catalogChanges({ files, format, boot, revisions, activation, now }: ChangeDeps): CatalogChanges {
  const { inForce, write } = activation;
  const status = (): CatalogStatus => ({
    record: inForce(),
    active: boot.active,
    local: revisions.local(),
    bundled: revisions.bundled(),
    commandLine: boot.commandLine,
  });
  /** The platform of the running profile, or of the one that matches this machine; Linux if neither can be read. */
  const runningPlatform = async (): Promise<ProfilePlatform> => {
    const ref = boot.active ?? format.matched();
    const running = ref === null ? null : await revisions.read(ref);
    return running === null ? 'linux' : format.platform(running.document);
  };
  /** Why a selection that the record admits cannot be used; null if it can. */
  const unusable = async (selection: ProfileSelection, confirmed: boolean): Promise<ChangeRefused | null> => {
    const ref = refOf(selection);
    if (ref === null) return null;
    const reading = await revisions.read(ref);
    if (reading === null)
      return refused(
        'profile-invalid',
        'This revision cannot be used: its file is damaged or gone, or this version of Sconce does not know what it names. Import it again.',
      );
    const { document } = reading;
    const admitted = admitPlatform({
      of: format.platform(document),
      running: await runningPlatform(),
      matches: format.matches(ref.id, document),
      confirmed,
    });
    return admitted.ok ? null : notAdmitted(admitted);
  };
  const judge = async (
    change: ActivationRequest,
  ): Promise<{ readonly status: 'possible'; readonly selection: ProfileSelection } | ChangeRefused> => {
    const { kind, expected } = change;
    const admitted =
      kind === 'select' ? admitSelection(status(), change.selection, expected) : admitRollback(status(), expected);
    if (!admitted.ok) return notAdmitted(admitted);
    // What a rollback restores has run on this panel before.
    const confirmed = kind === 'rollback' || change.confirmsPlatform;
    return (await unusable(admitted.value, confirmed)) ?? { status: 'possible', selection: admitted.value };
  };
  return {
    judge: async (change) => {
      const judged = await judge(change);
      return judged.status === 'refused' ? judged : { status: 'possible', ref: refOf(judged.selection) };
    },
    activate: async (change) => {
      const judged = await judge(change);
      if (judged.status === 'refused') return judged;
      const trouble = await write(afterSelection(inForce(), judged.selection, now()));
      return trouble === null
        ? {
            status: 'scheduled',
            ref: refOf(judged.selection) ?? format.matched(),
            catalogRevision: inForce().generation,
          }
        : unwritten(trouble);
    },
    import: async (bytes, allowed) => {
      const revision = files.revisionOf(bytes);
      if (!allowed(revision))
        return refused(
          'preview-stale',
          'The preview of these exact bytes does not exist or has expired. Preview them again, then save with the new token.',
        );
      const reading = format.read(bytes);
      if (!reading.ok)
        return refused(
          'profile-invalid',
          reading.issues[0]?.message ?? 'The profile is not valid. Preview it to see why.',
        );
      const ref: ProfileRef = { id: reading.summary.id, revision };
      const admitted = admitImport(status(), { ...ref, bytes: bytes.length });
      if (!admitted.ok) return notAdmitted(admitted);
      if (admitted.value === 'new') {
        const trouble = await files.save(ref, bytes);
        if (trouble !== null) return unwritten(trouble);
        revisions.put(ref, reading);
        await write(afterChange(inForce()));
      }
      return { status: 'saved', saved: admitted.value === 'new', ref, catalogRevision: inForce().generation };
    },
    remove: async (ref, expected) => {
      const admitted = admitDeletion(status(), ref, expected);
      if (!admitted.ok) return notAdmitted(admitted);
      const gone = admitted.value;
      const trouble = (await write(afterDeletion(inForce(), gone))) ?? (await files.remove(gone));
      if (trouble !== null) return unwritten(trouble);
      revisions.drop(gone);
      return { status: 'deleted', ref: gone, catalogRevision: inForce().generation };
    },
  };
}
