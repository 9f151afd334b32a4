import { z } from 'zod';

import { once } from '../kit/once.ts';
import type { EpochMs } from '../kit/units.ts';

/** Ids of profiles name folders of the catalogue too: one segment of a path, never hidden, at most 128 characters. */
export const profileIdPattern = /^(?=.{1,128}$)[a-z0-9]+(?:[.-][a-z0-9]+)*$/;
/** SHA-256 of the exact bytes, lower-case hexadecimal. */
export const revisionPattern = /^[0-9a-f]{64}$/;

/** One revision of a profile, for ever the same bytes. */
export const profileRef = once(() =>
  z.object({
    id: z.string().regex(profileIdPattern),
    revision: z.string().regex(revisionPattern),
  }),
);
export type ProfileRef = z.infer<ReturnType<typeof profileRef>>;

const automatic = once(() => z.object({ mode: z.literal('auto') }));
const pinned = once(() => profileRef().extend({ mode: z.literal('pinned') }));

/** What a start uses: what matches this machine, or one revision. */
const profileSelection = once(() => z.discriminatedUnion('mode', [automatic(), pinned()]));
export type ProfileSelection = z.infer<ReturnType<typeof profileSelection>>;

/** Why a trial ended without its health point, or a revision could not be used: stable codes. */
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

/** The durable record `activation.json`, version 1: what a start uses, what was proved, what is on trial. */
export const activationRecord = once(() =>
  z.object({
    version: z.literal(1),
    /** Raised by one with each change of the catalogue; what a person confirms names it. */
    generation: z.int().min(0),
    selection: profileSelection(),
    /** When the selection came into force or was taken back. */
    since: z.number(),
    /** The last revision that reached its health point; null before there was one. */
    proven: profileRef().nullable(),
    /** True if a screen was proved in that start: a trial may not lose it. */
    screenProven: z.boolean(),
    /** What a rollback brings back; null when nothing was proved before. */
    earlier: profileSelection().nullable(),
    /** The selection was not proved yet; `attempts` counts the starts with it, each before it is made. */
    trial: z.object({ attempts: z.int().min(0).max(1000), since: z.number(), fallback: profileSelection() }).nullable(),
    /** The last trial that failed, until something else is selected. */
    setback: z.object({ at: z.number(), reason: z.enum(setbackReasons), selection: profileSelection() }).nullable(),
  }),
);
export type ActivationRecord = z.infer<ReturnType<typeof activationRecord>>;

/** The record of a panel on which nothing was ever selected. */
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

/** True if two names mean the same revision. */
export const sameRef = (a: ProfileRef | null, b: ProfileRef | null): boolean =>
  a?.id === b?.id && a?.revision === b?.revision;

/** True if two selections start the same. */
export const sameSelection = (a: ProfileSelection | null, b: ProfileSelection | null): boolean =>
  a?.mode === b?.mode && (a?.mode !== 'pinned' || b?.mode !== 'pinned' || sameRef(a, b));

/** The revision that a selection names; null for what matches by itself. */
export const refOf = (selection: ProfileSelection | null): ProfileRef | null =>
  selection?.mode === 'pinned' ? { id: selection.id, revision: selection.revision } : null;

/** The catalogue changed and nothing else. */
export const afterChange = (record: ActivationRecord): ActivationRecord => ({
  ...record,
  generation: record.generation + 1,
});

/** Something was selected: the next start is a trial of it, and falls back to what was in force before. */
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

/** What a rollback would select; null when there is nothing to go back to. */
export const rollbackOf = (record: ActivationRecord): ProfileSelection | null =>
  record.trial?.fallback ?? record.earlier;

/** A start with the selection is about to be tried. */
export const afterAttempt = (record: ActivationRecord): ActivationRecord =>
  record.trial === null ? record : { ...record, trial: { ...record.trial, attempts: record.trial.attempts + 1 } };

/** The trial ended badly: what was in force before is selected again, and the failure is kept for a person to read. */
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

/** True if nothing has been started yet with what was selected: how the running start fares says nothing about it. */
export const isUntried = (record: ActivationRecord): boolean => record.trial?.attempts === 0;

/**
 * A start with `active` reached its health point; the same record when that was known, or when another selection waits
 * for its trial.
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

/** A revision is gone: nothing goes back to it. */
export const afterDeletion = (record: ActivationRecord, gone: ProfileRef): ActivationRecord => ({
  ...afterChange(record),
  earlier: sameRef(refOf(record.earlier), gone) ? null : record.earlier,
});
