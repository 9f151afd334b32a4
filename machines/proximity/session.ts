import type { EpochMs } from '../kit/units.ts';
import type { Calibration, CapabilityStatuses, Cue, References, SessionEnd, SessionView, Stage } from './events.ts';
import { blankGesture, type Gesture } from './detector.ts';
import { type Capture, isBinary, levelOf } from './model.ts';
import type { DetectorSettings, SessionTimings } from './timings.ts';

/** A reading that is held, with its samples. */
interface Hold {
  readonly since: EpochMs;
  readonly samples: readonly number[];
}

/** A guided calibration in progress; it saves nothing itself. */
export interface Session {
  readonly id: string;
  readonly startedAt: EpochMs;
  readonly stage: Stage;
  readonly stageAt: EpochMs;
  readonly cue: { readonly cue: Cue | null; readonly at: EpochMs; readonly endsAt: EpochMs | null };
  /** When its page last sent a heartbeat. */
  readonly heartbeatAt: EpochMs;
  /** When the last sample was taken. */
  readonly lastAt: EpochMs;
  readonly raw: number | null;
  /** True if the sensor only ever gave 0 or 1. */
  readonly binary: boolean;
  readonly hold: Hold | null;
  /** The hand's way in and out again, while a wave is measured. */
  readonly excursion: Hold | null;
  readonly clear: Capture | null;
  readonly near: Capture | null;
  readonly baseline: Capture | null;
  readonly wave: References | null;
  readonly gesture: Gesture;
  readonly waves: number;
  /** True if a held reading was too similar to the clear one. */
  readonly indistinct: boolean;
  readonly statuses: CapabilityStatuses;
  readonly reason: SessionEnd | null;
}

/** Parameters of every step of a session. */
export interface SessionRules {
  readonly timings: SessionTimings;
  readonly detector: DetectorSettings;
}

/** A new session at its intro, which waits for `begin`. */
export const startSession = (id: string, at: EpochMs, binary: boolean): Session => ({
  id,
  startedAt: at,
  stage: 'intro',
  stageAt: at,
  cue: { cue: null, at, endsAt: null },
  heartbeatAt: at,
  lastAt: at,
  raw: null,
  binary,
  hold: null,
  excursion: null,
  clear: null,
  near: null,
  baseline: null,
  wave: null,
  gesture: blankGesture,
  waves: 0,
  indistinct: false,
  statuses: { presence: 'not_tested', wave: 'not_tested' },
  reason: null,
});

const ends: ReadonlySet<Stage> = new Set(['saved', 'cancelled', 'timed_out', 'failed']);

export const isRunning = (stage: Stage): boolean => !ends.has(stage);

export const endSession = (
  session: Session,
  stage: 'saved' | 'cancelled' | 'timed_out' | 'failed',
  at: EpochMs,
  reason: SessionEnd | null = null,
): Session => ({
  ...session,
  stage,
  stageAt: at,
  cue: { cue: null, at, endsAt: null },
  hold: null,
  excursion: null,
  reason,
});

/** Sets what the person should do; the start of the cue is kept while the cue stays the same. */
export const cueSession = (session: Session, cue: Cue, at: EpochMs, endsAt: EpochMs | null): Session =>
  session.cue.cue === cue && session.cue.endsAt === endsAt ? session : { ...session, cue: { cue, at, endsAt } };

const opening: Readonly<Partial<Record<Stage, Cue>>> = {
  clear: 'prepare',
  near: 'approach',
  return: 'move_away',
  wave_baseline: 'prepare',
};

/** Moves to the next stage, which begins with a countdown if there is a reading to hold. */
export function enterStage(session: Session, stage: Stage, at: EpochMs, { timings }: SessionRules): Session {
  const cue = opening[stage];
  const shown =
    cue !== undefined
      ? { cue, at, endsAt: at + timings.countdownMs }
      : stage === 'wave_capture' || stage === 'waves'
        ? { cue: 'wave' as const, at, endsAt: at + timings.waveMs }
        : { cue: null, at, endsAt: null };
  return {
    ...session,
    stage,
    stageAt: at,
    cue: shown,
    hold: null,
    excursion: null,
    gesture: blankGesture,
    indistinct: false,
  };
}

/** When a stage times out; null if only the session's own limit applies. */
export function stageEnd(
  { stage, stageAt }: Pick<Session, 'stage' | 'stageAt'>,
  timings: SessionTimings,
): EpochMs | null {
  if (stage === 'near' || stage === 'return') return stageAt + timings.presenceMs;
  return stage === 'wave_baseline' || stage === 'wave_capture' || stage === 'waves' ? stageAt + timings.waveMs : null;
}

/** The presence references; null until presence was validated. */
export const presenceOf = ({ clear, near }: Pick<Session, 'clear' | 'near'>): References | null =>
  clear === null || near === null ? null : { clear: clear.median, near: near.median };

/** What would be saved; null before the review, or if nothing was recognised. */
export function candidateOf(session: Session): Calibration | null {
  if (session.stage !== 'review') return null;
  const presence = session.statuses.presence === 'validated' ? presenceOf(session) : null;
  const wave = session.statuses.wave === 'validated' ? session.wave : null;
  if (presence === null && wave === null) return null;
  return {
    mode: session.binary ? 'binary' : 'ranged',
    presence,
    wave,
    statuses: session.statuses,
    at: session.stageAt,
  };
}

function levelNow(session: Session): number | null {
  const references = session.stage === 'waves' ? session.wave : presenceOf(session);
  return references === null || session.raw === null ? null : levelOf(session.raw, references);
}

/** The public view of a session. */
export const viewOf = (session: Session, { timings }: SessionRules): SessionView => ({
  id: session.id,
  stage: session.stage,
  cue: session.cue.cue,
  cueAt: session.cue.at,
  cueEndsAt: session.cue.endsAt,
  stageEndsAt: stageEnd(session, timings),
  endsAt: session.startedAt + timings.sessionMs,
  waves: session.waves,
  statuses: session.statuses,
  candidate: candidateOf(session),
  reason: session.reason,
  raw: session.raw,
  level: levelNow(session),
});

/** True while the sensor has only given 0 or 1. */
export const staysBinary = (session: Pick<Session, 'binary'>, raw: number): boolean => session.binary && isBinary(raw);
