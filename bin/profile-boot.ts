import { readRecordAtStart, readRevisionAtStart, writeRecordAtStart } from '#drivers/profiles/at-start.ts';
import type { EpochMs } from '#machines/kit/units.ts';
import { activationRecord, type ProfileRef, refOf, sameRef } from '#machines/profile-catalog/activation.ts';
import type { ProfilesBoot } from '#machines/profile-catalog/boot.ts';
import {
  type BootDecision,
  decideBoot,
  decideUnwritten,
  type RecordFound,
  type Usability,
} from '#machines/profile-catalog/boot.ts';
import { bundledProfile } from '#profiles/bundled.ts';
import { autoName, chooseProfile, type ChoiceReason, type SelectedRevision } from '#profiles/choose.ts';
import type { ProfileShape } from '#profiles/document.ts';
import { readSavedProfile } from '#profiles/read.ts';
import { resolveProfile } from '#profiles/resolve.ts';
import type { ResolvedProfile } from '#profiles/resolved.ts';

/** The profile that a start uses. */
export interface BootedProfile {
  readonly profile: ResolvedProfile;
  readonly why: ChoiceReason;
  readonly boot: ProfilesBoot;
  /** True if it has to reach its health point or is rolled back. */
  readonly trial: boolean;
}

/** What a start decides from. */
export interface BootFacts {
  /** The data folder, locked for this process. */
  readonly folder: string;
  /** The value of `--profile`; null if it was not given. */
  readonly asked: string | null;
  /** The value of `--default-profile`; null or absent if it was not given. */
  readonly preferred?: string | null;
  readonly now: () => EpochMs;
}

function readRecord(folder: string): RecordFound {
  const found = readRecordAtStart(folder);
  if (found.state !== 'read') return found;
  const parsed = activationRecord().safeParse(found.value);
  return parsed.success ? { state: 'read', record: parsed.data } : { state: 'damaged' };
}

/** Looks revisions up, and keeps what was read for the one that is chosen. */
function revisions(folder: string) {
  const read = new Map<string, SelectedRevision>();
  const take = (ref: ProfileRef, revision: SelectedRevision): Usability => {
    try {
      resolveProfile(revision.document, revision);
    } catch {
      return 'invalid';
    }
    read.set(ref.id + ref.revision, revision);
    return 'usable';
  };
  return {
    usable: (ref: ProfileRef): Usability => {
      const own = bundledProfile(ref.id);
      // A newer Sconce brings newer bytes of its profiles: the bundled one replaces the selected one of the same id.
      const saved = readRevisionAtStart(folder, ref);
      if (saved.state === 'absent' && own !== null)
        return take(ref, { document: own.document, hash: own.summary.revision, origin: 'bundled' });
      if (saved.state !== 'read') return saved.state === 'absent' ? 'missing' : 'damaged';
      const reading = readSavedProfile(saved.value);
      // A document that its reader accepted has this shape.
      return reading.ok && reading.summary.id === ref.id
        ? take(ref, { document: reading.document as unknown as ProfileShape, hash: ref.revision, origin: 'local' })
        : 'invalid';
    },
    taken: (ref: ProfileRef | null): SelectedRevision | null =>
      ref === null ? null : (read.get(ref.id + ref.revision) ?? null),
  };
}

const refOfProfile = ({ id, revision: { hash } }: ResolvedProfile): ProfileRef | null =>
  hash === '' ? null : { id, revision: hash };

function decide(folder: string, usable: (ref: ProfileRef) => Usability, now: () => EpochMs): BootDecision {
  const found = readRecord(folder);
  const decision = decideBoot(found, usable, now());
  // On disk before anything is tried: the next start must know of a start that hung or died.
  return decision.record === null || writeRecordAtStart(folder, decision.record)
    ? decision
    : decideUnwritten(found, decision, usable);
}

/** Decides which profile this start uses, before anything runs; never throws. */
export function bootProfile({ folder, asked, preferred = null, now }: BootFacts): BootedProfile {
  const startedAt = now();
  const commandLine = asked !== null && asked !== autoName;
  const catalog = revisions(folder);
  const decision: BootDecision = commandLine
    ? { use: null, trial: false, record: null, issues: [] }
    : decide(folder, catalog.usable, now);
  const { profile, why } = chooseProfile({ asked, selected: catalog.taken(decision.use), preferred });
  const active = refOfProfile(profile);
  const issues =
    decision.use !== null && active !== null && decision.use.id !== active.id && !sameRef(decision.use, active)
      ? [...decision.issues, 'revision-invalid' as const]
      : decision.issues;
  return { profile, why, boot: { active, commandLine, issues, startedAt }, trial: decision.trial };
}

/**
 * The profile that an agent with this data folder uses, for read-only callers: nothing is written, and a trial that is
 * due is not counted.
 */
export function peekProfile({ folder, asked, preferred = null }: Omit<BootFacts, 'now'>): ResolvedProfile {
  const found = asked === null || asked === autoName ? readRecord(folder) : null;
  const selected = found?.state === 'read' ? refOf(found.record.selection) : null;
  const catalog = revisions(folder);
  if (selected !== null) catalog.usable(selected);
  return chooseProfile({ asked, selected: catalog.taken(selected), preferred }).profile;
}
