import type { EpochMs } from '../kit/units.ts';
import {
  afterAttempt,
  afterSetback,
  type ActivationRecord,
  type ProfileRef,
  type ProfileSelection,
  refOf,
  type SetbackReason,
} from './activation.ts';

/** The activation record as found on disk. */
export type RecordFound =
  | { readonly state: 'read'; readonly record: ActivationRecord }
  | { readonly state: 'absent' | 'damaged' };

/** State of a revision on disk. */
export type Usability = 'usable' | 'missing' | 'damaged' | 'invalid';

/** A problem of this start for the owner; stable codes. */
export type BootIssue = 'record-damaged' | 'record-not-written' | SetbackReason;

/** The decision from before the tree started. */
export interface ProfilesBoot {
  /** The running revision; null for the emergency profile. */
  readonly active: ProfileRef | null;
  /** True if `--profile` overrides the selection. */
  readonly commandLine: boolean;
  readonly issues: readonly BootIssue[];
  /** When the process started, milliseconds since the Unix epoch. */
  readonly startedAt: EpochMs;
}

/** The decision of a start. */
export interface BootDecision {
  /** The revision to start with; null for the profile that matches this machine. */
  readonly use: ProfileRef | null;
  /** True if it is taken back unless it reaches its health point. */
  readonly trial: boolean;
  /** The record to write before anything else; null if it is unchanged. */
  readonly record: ActivationRecord | null;
  readonly issues: readonly BootIssue[];
}

const whyUnusable = (state: Exclude<Usability, 'usable'>): SetbackReason => `revision-${state}`;

/** Starts with a selection without a trial; if it is unusable, with the profile that matches. */
function settled(
  selection: ProfileSelection,
  usable: (ref: ProfileRef) => Usability,
): Pick<BootDecision, 'use' | 'issues'> {
  const ref = refOf(selection);
  if (ref === null) return { use: null, issues: [] };
  const state = usable(ref);
  return state === 'usable' ? { use: ref, issues: [] } : { use: null, issues: [whyUnusable(state)] };
}

/** Takes the trial back at this start. */
function fallBack(
  record: ActivationRecord,
  reason: SetbackReason,
  usable: (ref: ProfileRef) => Usability,
  now: EpochMs,
): BootDecision {
  const back = afterSetback(record, reason, now);
  return { ...settled(back.selection, usable), trial: false, record: back };
}

/**
 * Decides what to start with: never throws, and always returns something that can start (contract, "States and
 * transitions").
 */
export function decideBoot(found: RecordFound, usable: (ref: ProfileRef) => Usability, now: EpochMs): BootDecision {
  if (found.state !== 'read')
    return { use: null, trial: false, record: null, issues: found.state === 'damaged' ? ['record-damaged'] : [] };
  const { record } = found;
  if (record.trial === null) return { ...settled(record.selection, usable), trial: false, record: null };
  // It was counted and is still on trial: that start did not reach its health point, however it ended.
  if (record.trial.attempts > 0) return fallBack(record, 'ended-before-health', usable, now);
  const ref = refOf(record.selection);
  const state = ref === null ? 'usable' : usable(ref);
  if (state !== 'usable') return fallBack(record, whyUnusable(state), usable, now);
  return { use: ref, trial: true, record: afterAttempt(record), issues: [] };
}

/**
 * The decision if the record could not be written: a trial that cannot be counted is not started, or a crash would
 * repeat it forever.
 */
export function decideUnwritten(
  found: RecordFound,
  decision: BootDecision,
  usable: (ref: ProfileRef) => Usability,
): BootDecision {
  if (!decision.trial || found.state !== 'read' || found.record.trial === null)
    return { ...decision, record: null, issues: [...decision.issues, 'record-not-written'] };
  const back = settled(found.record.trial.fallback, usable);
  return { use: back.use, trial: false, record: null, issues: [...back.issues, 'record-not-written'] };
}
