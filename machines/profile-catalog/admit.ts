import { ok, refuse, type Result } from '../kit/result.ts';
import {
  type ActivationRecord,
  type ProfileRef,
  type ProfileSelection,
  refOf,
  rollbackOf,
  sameRef,
  sameSelection,
} from './activation.ts';
import type { ProfilePlatform } from './reading.ts';

/** Limits of the catalogue: local revisions in all, of one id, and their total bytes. */
export const mostRevisions = 128;
export const mostRevisionsOfId = 16;
export const mostBytesInAll = 4 * 1024 * 1024;
/** Largest profile in bytes. */
export const mostProfileBytes = 131_072;

/** A local revision with its size. */
export interface StoredRevision extends ProfileRef {
  readonly bytes: number;
}

/** What a change is checked against. */
export interface CatalogStatus {
  readonly record: ActivationRecord;
  /** The running revision; null for the emergency profile. */
  readonly active: ProfileRef | null;
  readonly local: readonly StoredRevision[];
  readonly bundled: readonly ProfileRef[];
  /** True with `--profile`, which overrides the stored selection. */
  readonly commandLine: boolean;
}

/** Codes of refused changes; `problems` in the manifest gives each its HTTP status. */
export type CatalogRefusal =
  | 'catalog-stale'
  | 'profile-unknown'
  | 'profile-active-already'
  | 'profile-in-use'
  | 'profile-bundled'
  | 'profile-limit'
  | 'profile-on-command-line'
  | 'platform-not-confirmed'
  | 'nothing-to-roll-back';

type Admission<T> = Result<T, CatalogRefusal>;

const has = (refs: readonly ProfileRef[], ref: ProfileRef): boolean => refs.some((one) => sameRef(one, ref));

const stale = ({ record }: CatalogStatus, expected: number): Admission<never> | null =>
  record.generation === expected
    ? null
    : refuse(
        'catalog-stale',
        `The catalogue is at revision ${record.generation}, not ${expected}. Read /api/v1/profiles again, look at what changed, then repeat with expected_catalog_revision ${record.generation}.`,
      );

const resting = ({ commandLine }: CatalogStatus): Admission<never> | null =>
  commandLine
    ? refuse(
        'profile-on-command-line',
        'This run was started with --profile, which sets the selection aside. Start the agent without it, then select.',
      )
    : null;

/** True if an id is the name of a file of the catalogue itself, or of a copy of it. */
export const isReservedId = (id: string): boolean => /^activation\.json(?:\.|$)/.test(id);

/** Admits one more revision if it fits; existing bytes, bundled ones too, are not stored again. */
export function admitImport(
  { local, bundled }: CatalogStatus,
  fresh: StoredRevision,
): Admission<'new' | 'saved-before'> {
  if (has(local, fresh) || has(bundled, fresh)) return ok('saved-before');
  if (isReservedId(fresh.id))
    return refuse('profile-limit', `The id "${fresh.id}" is a name of the catalogue's own. Choose another id.`);
  if (local.length >= mostRevisions)
    return refuse(
      'profile-limit',
      `There are ${mostRevisions} saved revisions already. Delete one that is not needed.`,
    );
  if (local.filter(({ id }) => id === fresh.id).length >= mostRevisionsOfId)
    return refuse(
      'profile-limit',
      `There are ${mostRevisionsOfId} revisions of "${fresh.id}" already. Delete one that is not needed.`,
    );
  if (local.reduce((sum, { bytes }) => sum + bytes, fresh.bytes) > mostBytesInAll)
    return refuse(
      'profile-limit',
      'The saved profiles would be larger than 4 MiB together. Delete one that is not needed.',
    );
  return ok('new');
}

/** Admits a selection or refuses it. */
export function admitSelection(
  status: CatalogStatus,
  selection: ProfileSelection,
  expected: number,
): Admission<ProfileSelection> {
  const refused = stale(status, expected) ?? resting(status);
  if (refused !== null) return refused;
  const ref = refOf(selection);
  if (ref !== null && !has(status.local, ref) && !has(status.bundled, ref))
    return refuse('profile-unknown', 'There is no such revision here. Read /api/v1/profiles for those there are.');
  const { record } = status;
  if (record.trial === null && record.setback === null && sameSelection(record.selection, selection))
    return refuse('profile-active-already', 'That is selected and in use already; nothing was changed.');
  return ok(selection);
}

/** The platforms of a profile and of the panel. */
export interface PlatformCheck {
  readonly of: ProfilePlatform;
  readonly running: ProfilePlatform;
  /** True if the profile's match rules name this machine. */
  readonly matches: boolean;
}

/** True if a profile is for panels of another platform. A simulated panel runs on Linux, so a Linux profile fits it. */
export const isOtherPlatform = ({ of, running, matches }: PlatformCheck): boolean =>
  of !== running && !matches && !(of === 'linux' && running === 'simulated');

const platformWords: Readonly<Record<ProfilePlatform, string>> = {
  linux: 'a Linux panel',
  android: 'an Android panel reached over adb',
  simulated: 'a simulated panel, without any hardware',
};

/** Admits a profile of this platform; another platform needs a separate confirmation. */
export const admitPlatform = (check: PlatformCheck & { readonly confirmed: boolean }): Admission<null> =>
  check.confirmed || !isOtherPlatform(check)
    ? ok(null)
    : refuse(
        'platform-not-confirmed',
        `Nothing was changed: this profile is for ${platformWords[check.of]}, and this is ${platformWords[check.running]}, so it may have no screen with it. Send confirm_platform: true as well if that is meant.`,
      );

/** The selection of a rollback, or its refusal. */
export function admitRollback(status: CatalogStatus, expected: number): Admission<ProfileSelection> {
  const refused = stale(status, expected) ?? resting(status);
  if (refused !== null) return refused;
  const back = rollbackOf(status.record);
  const ref = refOf(back);
  const gone = ref !== null && !has(status.local, ref) && !has(status.bundled, ref);
  return back === null || gone
    ? refuse('nothing-to-roll-back', 'No other profile was in use on this panel before. Select one instead.')
    : ok(back);
}

/** Admits the deletion of a revision or refuses it. */
export function admitDeletion(status: CatalogStatus, ref: ProfileRef, expected: number): Admission<ProfileRef> {
  const refused = stale(status, expected);
  if (refused !== null) return refused;
  const { record, active, local, bundled } = status;
  if (has(bundled, ref)) return refuse('profile-bundled', 'This profile comes with Sconce and cannot be deleted.');
  if (!has(local, ref))
    return refuse('profile-unknown', 'There is no such revision here. Read /api/v1/profiles for those there are.');
  const used = [active, refOf(record.selection), record.proven, refOf(rollbackOf(record))];
  return used.some((one) => one !== null && sameRef(one, ref))
    ? refuse(
        'profile-in-use',
        'This revision is active, about to be, or what the panel falls back to. Activate another one first.',
      )
    : ok(ref);
}
