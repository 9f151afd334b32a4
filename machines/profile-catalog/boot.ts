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

/** The activation record as it was found on disk. */
export type RecordFound =
  | { readonly state: 'read'; readonly record: ActivationRecord }
  | { readonly state: 'absent' | 'damaged' };

/** True if a revision can be used now. */
export type Usability = 'usable' | 'missing' | 'damaged' | 'invalid';

/** Something about this start that a person should know; stable codes. */
export type BootIssue = 'record-damaged' | 'record-not-written' | SetbackReason;

/** What was decided before the tree started. */
export interface ProfilesBoot {
  /** Revision that runs; null for the emergency profile. */
  readonly active: ProfileRef | null;
  /** True if `--profile` set the selection aside. */
  readonly commandLine: boolean;
  readonly issues: readonly BootIssue[];
  /** When the process started, milliseconds since the Unix epoch. */
  readonly startedAt: EpochMs;
}

/** What a start does about profiles. */
export interface BootDecision {
  /** The revision to start with; null for what matches this machine. */
  readonly use: ProfileRef | null;
  /** True if it has to reach its health point or is taken back. */
  readonly trial: boolean;
  /** What has to be on disk before anything else happens; null where nothing changed. */
  readonly record: ActivationRecord | null;
  readonly issues: readonly BootIssue[];
}

const whyUnusable = (state: Exclude<Usability, 'usable'>): SetbackReason => `revision-${state}`;

/** A selection that is in force, without a trial; one that cannot be used stands aside for what matches. */
function settled(
  selection: ProfileSelection,
  usable: (ref: ProfileRef) => Usability,
): Pick<BootDecision, 'use' | 'issues'> {
  const ref = refOf(selection);
  if (ref === null) return { use: null, issues: [] };
  const state = usable(ref);
  return state === 'usable' ? { use: ref, issues: [] } : { use: null, issues: [whyUnusable(state)] };
}

/** Takes the trial back at the start. */
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
 * Decides a start: never throws, and always ends at something that can be started (contract, "States and transitions").
 */
export function decideBoot(found: RecordFound, usable: (ref: ProfileRef) => Usability, now: EpochMs): BootDecision {
  if (found.state !== 'read')
    return { use: null, trial: false, record: null, issues: found.state === 'damaged' ? ['record-damaged'] : [] };
  const { record } = found;
  if (record.trial === null) return { ...settled(record.selection, usable), trial: false, record: null };
  // It was counted and is still here: that start did not reach its health point, however it ended.
  if (record.trial.attempts > 0) return fallBack(record, 'ended-before-health', usable, now);
  const ref = refOf(record.selection);
  const state = ref === null ? 'usable' : usable(ref);
  if (state !== 'usable') return fallBack(record, whyUnusable(state), usable, now);
  return { use: ref, trial: true, record: afterAttempt(record), issues: [] };
}

/**
 * The start when the decision could not be written down: what cannot be counted is not tried, or a crash would repeat
 * it for ever.
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
