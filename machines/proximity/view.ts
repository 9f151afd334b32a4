import type { EpochMs } from '../kit/units.ts';
import { calibrationOf, isTrusted, statusesOf } from './decide.ts';
import type { ProximityDocument } from './document.ts';
import type { ProximitySnapshot } from './snapshot.ts';

const nothing: ProximityDocument = {
  present: false,
  learning: 'unavailable',
  phase: 'unavailable',
  stage: null,
  sessionActive: false,
  sessionId: null,
  cue: null,
  remainingMs: null,
  totalMs: null,
  stageRemainingMs: null,
  sessionRemainingMs: null,
  waves: 0,
  statuses: { presence: 'unavailable', wave: 'unavailable' },
  calibrated: { presence: false, wave: false },
  calibratedAt: null,
  canSave: false,
  saving: false,
  fault: null,
  reason: null,
  near: null,
  level: null,
  reading: { raw: null, level: null },
  source: null,
};

const left = (until: EpochMs | null, now: EpochMs): number | null =>
  until === null ? null : Math.max(0, Math.round(until - now));

function phaseOf(context: ProximitySnapshot): ProximityDocument['phase'] {
  if (context.source === null) return 'unavailable';
  if (context.calibrating) return 'calibrating';
  return calibrationOf(context) === null ? 'uncalibrated' : 'ready';
}

/** The API document at a moment; `context` is null for a panel without such a sensor in its profile. */
export function documentOf(context: ProximitySnapshot | null, now: EpochMs): ProximityDocument {
  if (context === null) return nothing;
  const { session } = context;
  const active = context.calibrating;
  const calibration = calibrationOf(context);
  const phaseNow = phaseOf(context);
  const trusted = isTrusted(context);
  return {
    ...nothing,
    present: context.source !== null,
    learning: phaseNow,
    phase: phaseNow,
    statuses: { ...statusesOf(context) },
    calibrated: { presence: calibration?.presence != null, wave: calibration?.wave != null },
    calibratedAt: calibration?.at ?? null,
    saving: context.keeping !== null,
    fault: context.fault,
    near: trusted ? context.near : null,
    level: trusted ? context.level : null,
    source: context.source,
    ...(session === null
      ? {}
      : {
          stage: session.stage,
          sessionActive: active,
          sessionId: session.id,
          waves: session.waves,
          reason: session.reason,
          canSave: active && session.candidate !== null && context.keeping === null,
        }),
    ...(session === null || !active
      ? {}
      : {
          cue: session.cue,
          remainingMs: left(session.cueEndsAt, now),
          totalMs: session.cueEndsAt === null ? null : Math.max(0, Math.round(session.cueEndsAt - session.cueAt)),
          stageRemainingMs: left(session.stageEndsAt, now),
          sessionRemainingMs: left(session.endsAt, now),
          reading: { raw: session.raw, level: session.level },
        }),
  };
}
