import type { EpochMs } from '../kit/units.ts';
import type { CapabilityStatus, Cue, SessionCommand } from './events.ts';
import { watchGesture } from './detector.ts';
import { captureOf, isAway, isSeparate, levelOf, waveReference, withSample, type Capture } from './model.ts';
import {
  candidateOf,
  cueSession,
  endSession,
  enterStage,
  isRunning,
  presenceOf,
  type Session,
  type SessionRules,
  stageEnd,
  staysBinary,
} from './session.ts';

type Step = (session: Session, raw: number, at: EpochMs, rules: SessionRules) => Session;

const withPresence = (session: Session, presence: CapabilityStatus): Session => ({
  ...session,
  statuses: { ...session.statuses, presence },
});
const withWave = (session: Session, wave: CapabilityStatus): Session => ({
  ...session,
  statuses: { ...session.statuses, wave },
});

const review = (session: Session, at: EpochMs, rules: SessionRules): Session =>
  enterStage(session, 'review', at, rules);

/** Leaves a stage that timed out. */
function giveUp(session: Session, at: EpochMs, rules: SessionRules): Session {
  switch (session.stage) {
    case 'near':
    case 'return':
      return enterStage(
        withPresence({ ...session, near: null }, session.indistinct ? 'not_distinguishable' : 'not_detected'),
        'wave_baseline',
        at,
        rules,
      );
    default:
      return review(withWave(session, session.indistinct ? 'not_distinguishable' : 'not_detected'), at, rules);
  }
}

/** Holds a reading for five seconds while it is the right one, then continues with `done`. */
function holding(
  session: Session,
  raw: number,
  at: EpochMs,
  rules: SessionRules,
  {
    isRight,
    doing,
    waiting,
    done,
  }: {
    readonly isRight: boolean;
    readonly doing: Cue;
    readonly waiting: Cue;
    readonly done: (session: Session, capture: Capture) => Session;
  },
): Session {
  if (at < session.stageAt + rules.timings.countdownMs) return session;
  if (!isRight) return cueSession({ ...session, hold: null }, waiting, at, null);
  const hold =
    session.hold === null
      ? { since: at, samples: [raw] }
      : { since: session.hold.since, samples: withSample(session.hold.samples, raw) };
  const endsAt = hold.since + rules.timings.captureMs;
  const held = cueSession({ ...session, hold }, doing, at, endsAt);
  const capture = captureOf(hold.samples);
  return at < endsAt || capture === null ? held : done({ ...held, hold: null }, capture);
}

const stepClear: Step = (session, raw, at, rules) =>
  holding(session, raw, at, rules, {
    isRight: true,
    doing: 'wait_clear',
    waiting: 'wait_clear',
    done: (held, clear) => enterStage({ ...held, clear }, 'near', at, rules),
  });

const stepNear: Step = (session, raw, at, rules) => {
  const { clear } = session;
  if (clear === null) return session;
  return holding(session, raw, at, rules, {
    isRight: isAway(raw, clear),
    doing: 'hold',
    waiting: 'approach',
    // If the two cannot be told apart, try again until the stage times out.
    done: (held, near) =>
      isSeparate(clear, near) ? enterStage({ ...held, near }, 'return', at, rules) : { ...held, indistinct: true },
  });
};

function isClearAgain(session: Session, raw: number, { detector }: SessionRules): boolean {
  const references = presenceOf(session);
  if (references !== null) return levelOf(raw, references) <= detector.exitLevel;
  return session.clear !== null && !isAway(raw, session.clear);
}

const stepReturn: Step = (session, raw, at, rules) =>
  holding(session, raw, at, rules, {
    isRight: isClearAgain(session, raw, rules),
    doing: 'wait_clear',
    waiting: 'move_away',
    done: (held) => enterStage(withPresence(held, 'validated'), 'wave_baseline', at, rules),
  });

const stepBaseline: Step = (session, raw, at, rules) =>
  holding(session, raw, at, rules, {
    isRight: isClearAgain(session, raw, rules),
    doing: 'wait_clear',
    waiting: 'move_away',
    done: (held, baseline) => enterStage({ ...held, baseline }, 'wave_capture', at, rules),
  });

const stepCapture: Step = (session, raw, at, rules) => {
  const { baseline, excursion } = session;
  if (baseline === null) return session;
  if (isAway(raw, baseline)) {
    return {
      ...session,
      excursion:
        excursion === null
          ? { since: at, samples: [raw] }
          : { since: excursion.since, samples: withSample(excursion.samples, raw) },
    };
  }
  if (excursion === null) return session;
  const lasted = at - excursion.since;
  const back = { ...session, excursion: null };
  if (lasted < rules.detector.waveMinMs || lasted > rules.detector.waveMaxMs) return back;
  const wave = waveReference(excursion.samples, baseline);
  if (baseline.spread > Math.abs(wave.near - wave.clear) / 2) return { ...back, indistinct: true };
  return enterStage({ ...back, wave }, 'waves', at, rules);
};

const stepWaves: Step = (session, raw, at, rules) => {
  if (session.wave === null) return session;
  const { gesture, fired } = watchGesture(session.gesture, levelOf(raw, session.wave), at, rules.detector);
  const waves = session.waves + (fired ? 1 : 0);
  const next = { ...session, gesture, waves };
  return waves >= rules.timings.waves ? review(withWave(next, 'validated'), at, rules) : next;
};

const steps: Readonly<Partial<Record<Session['stage'], Step>>> = {
  clear: stepClear,
  near: stepNear,
  return: stepReturn,
  wave_baseline: stepBaseline,
  wave_capture: stepCapture,
  waves: stepWaves,
};

/** Takes one sample. A reading that is not a number, or a clock that went back, fails the session. */
export function stepSession(session: Session, raw: number, at: EpochMs, rules: SessionRules): Session {
  if (!isRunning(session.stage)) return session;
  if (at < session.lastAt) return endSession(session, 'failed', at, 'clock-went-back');
  if (!Number.isFinite(raw)) return endSession(session, 'failed', at, 'bad-reading');
  if (at - session.startedAt >= rules.timings.sessionMs) return endSession(session, 'timed_out', at, 'session-limit');
  if (at - session.heartbeatAt >= rules.timings.heartbeatMs) return endSession(session, 'timed_out', at, 'page-gone');
  const seen: Session = { ...session, raw, lastAt: at, binary: staysBinary(session, raw) };
  const end = stageEnd(seen, rules.timings);
  if (end !== null && at >= end) return giveUp(seen, at, rules);
  return steps[seen.stage]?.(seen, raw, at, rules) ?? seen;
}

/** Applies a page's command; one that does not fit the stage changes nothing. */
export function commandSession(
  session: Session,
  command: Exclude<SessionCommand, 'start'>,
  at: EpochMs,
  rules: SessionRules,
): Session {
  if (!isRunning(session.stage)) return session;
  switch (command) {
    case 'begin':
      return session.stage === 'intro' ? { ...enterStage(session, 'clear', at, rules), heartbeatAt: at } : session;
    case 'heartbeat':
      return { ...session, heartbeatAt: at };
    case 'cancel':
      return endSession(session, 'cancelled', at);
    case 'saved':
      return candidateOf(session) === null ? session : endSession(session, 'saved', at);
  }
}
