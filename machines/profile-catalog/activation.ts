import { z } from 'zod';

import { once } from '../kit/once.ts';
import type { EpochMs } from '../kit/units.ts';

/** Profile ids are also folder names in the catalogue: one path segment, never hidden, at most 128 characters. */
export const profileIdPattern = /^(?=.{1,128}$)[a-z0-9]+(?:[.-][a-z0-9]+)*$/;
/** SHA-256 of the exact bytes, lower-case hexadecimal. */
export const revisionPattern = /^[0-9a-f]{64}$/;

/** One revision of a profile, always the same bytes. */
export const profileRef = once(() =>
  z.object({
    id: z.string().regex(profileIdPattern),
    revision: z.string().regex(revisionPattern),
  }),
);
export type ProfileRef = z.infer<ReturnType<typeof profileRef>>;

const automatic = once(() => z.object({ mode: z.literal('auto') }));
const pinned = once(() => profileRef().extend({ mode: z.literal('pinned') }));

/** What a start uses: the profile that matches this machine, or a pinned revision. */
const profileSelection = once(() => z.discriminatedUnion('mode', [automatic(), pinned()]));
export type ProfileSelection = z.infer<ReturnType<typeof profileSelection>>;

/** Why a trial missed its health point, or a revision could not be used: stable codes. */
const setbackReasons = [
  'ended-before-health',
  'http-silent',
  'base-down',
  'screen-not-settled',
  'screen-not-proven',
  'revision-missing',
  'revision-damaged',
  'revision-invalid',
] as const;
export type SetbackReason = (typeof setbackReasons)[number];

/** The stored record `activation.json`, version 1: what a start uses, what was proved, what is on trial. */
export const activationRecord = once(() =>
  z.object({
    version: z.literal(1),
    /** Incremented with each change of the catalogue; a change must name the value that the person saw. */
    generation: z.int().min(0),
    selection: profileSelection(),
    /** When the selection took effect or was rolled back. */
    since: z.number(),
    /** The last revision that reached its health point; null before the first. */
    proven: profileRef().nullable(),
    /** True if a screen worked in that start: a trial must not lose it. */
    screenProven: z.boolean(),
    /** What a rollback restores; null if nothing was proved before. */
    earlier: profileSelection().nullable(),
    /** Present until the selection is proved; `attempts` counts the starts with it, each before it begins. */
    trial: z.object({ attempts: z.int().min(0).max(1000), since: z.number(), fallback: profileSelection() }).nullable(),
    /** The last failed trial, until another selection. */
    setback: z.object({ at: z.number(), reason: z.enum(setbackReasons), selection: profileSelection() }).nullable(),
  }),
);
export type ActivationRecord = z.infer<ReturnType<typeof activationRecord>>;

/** The record of a panel without any selection. */
export const firstRecord: ActivationRecord = {
  version: 1,
  generation: 0,
  selection: { mode: 'auto' },
  since: 0,
  proven: null,
  screenProven: false,
  earlier: null,
  trial: null,
  setback: null,
};

/** True if both name the same revision. */
export const sameRef = (a: ProfileRef | null, b: ProfileRef | null): boolean =>
  a?.id === b?.id && a?.revision === b?.revision;

/** True if both select the same. */
export const sameSelection = (a: ProfileSelection | null, b: ProfileSelection | null): boolean =>
  a?.mode === b?.mode && (a?.mode !== 'pinned' || b?.mode !== 'pinned' || sameRef(a, b));

/** The revision that a selection names; null for the automatic one. */
export const refOf = (selection: ProfileSelection | null): ProfileRef | null =>
  selection?.mode === 'pinned' ? { id: selection.id, revision: selection.revision } : null;

/** Only the catalogue changed. */
export const afterChange = (record: ActivationRecord): ActivationRecord => ({
  ...record,
  generation: record.generation + 1,
});

/** A profile was selected: the next start is its trial, with the previous selection as the fallback. */
export const afterSelection = (
  record: ActivationRecord,
  selection: ProfileSelection,
  now: EpochMs,
): ActivationRecord => ({
  ...afterChange(record),
  selection,
  since: now,
  trial: { attempts: 0, since: now, fallback: record.trial?.fallback ?? record.selection },
  setback: null,
});

/** What a rollback would select; null if there is nothing to go back to. */
export const rollbackOf = (record: ActivationRecord): ProfileSelection | null =>
  record.trial?.fallback ?? record.earlier;

/** A start with the selection is about to begin. */
export const afterAttempt = (record: ActivationRecord): ActivationRecord =>
  record.trial === null ? record : { ...record, trial: { ...record.trial, attempts: record.trial.attempts + 1 } };

/** The trial failed: the previous selection is restored, and the failure is kept for the owner. */
export const afterSetback = (record: ActivationRecord, reason: SetbackReason, now: EpochMs): ActivationRecord =>
  record.trial === null
    ? record
    : {
        ...afterChange(record),
        selection: record.trial.fallback,
        since: now,
        trial: null,
        setback: { at: now, reason, selection: record.selection },
      };

/** True if no start has used the selection yet: the health of the running start says nothing about it. */
export const isUntried = (record: ActivationRecord): boolean => record.trial?.attempts === 0;

/**
 * A start with `active` reached its health point; the same record if that is known already, or if another selection
 * waits for its trial.
 */
export function afterHealth(
  record: ActivationRecord,
  active: ProfileRef,
  screenProven: boolean,
  now: EpochMs,
): ActivationRecord {
  const { trial } = record;
  if (isUntried(record)) return record;
  if (trial === null && sameRef(record.proven, active) && record.screenProven === screenProven) return record;
  if (trial === null) return { ...afterChange(record), proven: active, screenProven };
  const earlier = sameSelection(trial.fallback, record.selection) ? record.earlier : trial.fallback;
  return { ...afterChange(record), since: now, proven: active, screenProven, earlier, trial: null };
}

/** A revision was deleted: a rollback no longer leads to it. */
export const afterDeletion = (record: ActivationRecord, gone: ProfileRef): ActivationRecord => ({
  ...afterChange(record),
  earlier: sameRef(refOf(record.earlier), gone) ? null : record.earlier,
});
