import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type {
  Calibration,
  ProximityFact,
  ProximitySource,
  SessionCommand,
  SessionEnd,
  SessionView,
  WatchInput,
} from './events.ts';
import { blankGesture, blankTracker, type Gesture, track, type Tracker, watchGesture } from './detector.ts';
import { isBinary, isForeign, levelOf } from './model.ts';
import { endSession, isRunning, type Session, type SessionRules, startSession, viewOf } from './session.ts';
import { commandSession, stepSession } from './session-step.ts';
import { detectorSettings, sessionTimings } from './timings.ts';

/** Least time between two reported changes of the level, in milliseconds. */
const REPORT_MS: Milliseconds = 250;

/** State derived from a sensor's samples; the driver stores it and never interprets it. */
interface Watch {
  /** The open sensor; null if there is none. */
  readonly source: ProximitySource | null;
  /** False while an open sensor gives unusable readings. */
  readonly sound: boolean;
  /** True once the open sensor has given a reading, good or bad. */
  readonly answered: boolean;
  readonly lastAt: EpochMs;
  /** True if the open sensor only ever gave 0 or 1. */
  readonly binary: boolean;
  readonly calibration: Calibration | null;
  readonly tracker: Tracker;
  readonly gesture: Gesture;
  readonly session: Session | null;
  /** The last reported reading. */
  readonly reported: { readonly near: boolean | null; readonly level: number | null; readonly at: EpochMs };
  readonly reportedSession: { readonly view: SessionView; readonly at: EpochMs } | null;
}

const blankWatch: Watch = {
  source: null,
  sound: false,
  answered: false,
  lastAt: 0,
  binary: true,
  calibration: null,
  tracker: blankTracker,
  gesture: blankGesture,
  session: null,
  reported: { near: null, level: null, at: 0 },
  reportedSession: null,
};

/** A watch after an input, and the facts to report. */
interface WatchStep {
  readonly watch: Watch;
  readonly facts: readonly ProximityFact[];
}

/** Parameters of sessions and waves. */
export const rules: SessionRules = { timings: sessionTimings, detector: detectorSettings };

/** True if both name the same sensor. */
export const isSameSource = (one: ProximitySource | null, other: ProximitySource | null): boolean =>
  one?.driver === other?.driver && one?.name === other?.name;

const isBusy = (watch: Watch): boolean => watch.session !== null && isRunning(watch.session.stage);

const restarted: Pick<Watch, 'tracker' | 'gesture'> = { tracker: blankTracker, gesture: blankGesture };

/** The view without what changes constantly and is only reported from time to time. */
const withoutReading = (view: SessionView): string => JSON.stringify({ ...view, raw: null, level: null });

function reportSession(watch: Watch, at: EpochMs): WatchStep {
  if (watch.session === null) return { watch, facts: [] };
  const view = viewOf(watch.session, rules);
  const { reportedSession } = watch;
  const isChange = reportedSession === null || withoutReading(reportedSession.view) !== withoutReading(view);
  const moved = reportedSession?.view.raw !== view.raw || reportedSession.view.level !== view.level;
  // A clock that went back must not silence the reading.
  if (!isChange && !(moved && Math.abs(at - reportedSession.at) >= REPORT_MS)) return { watch, facts: [] };
  return { watch: { ...watch, reportedSession: { view, at } }, facts: [{ type: 'session.changed', session: view }] };
}

function reportReading(watch: Watch, level: number | null, at: EpochMs): WatchStep {
  const trusted = watch.sound && !isBusy(watch) && watch.calibration?.presence != null && watch.tracker.near !== null;
  const now = trusted
    ? { near: watch.tracker.near, level: level ?? watch.reported.level }
    : { near: null, level: null };
  if (
    now.near === watch.reported.near &&
    (now.level === watch.reported.level || Math.abs(at - watch.reported.at) < REPORT_MS)
  )
    return { watch, facts: [] };
  return { watch: { ...watch, reported: { ...now, at } }, facts: [{ type: 'reading.changed', ...now, at }] };
}

function chain(first: WatchStep, next: (watch: Watch) => WatchStep): WatchStep {
  const second = next(first.watch);
  return { watch: second.watch, facts: [...first.facts, ...second.facts] };
}

const reportAll = (watch: Watch, level: number | null, at: EpochMs): WatchStep =>
  chain(reportSession(watch, at), (next) => reportReading(next, level, at));

function lose(watch: Watch, reason: SessionEnd, at: EpochMs, isChange = watch.sound): WatchStep {
  const session =
    watch.session !== null && isRunning(watch.session.stage)
      ? endSession(watch.session, 'failed', at, reason)
      : watch.session;
  const lost = reportAll({ ...watch, ...restarted, sound: false, session }, null, at);
  return { watch: lost.watch, facts: isChange ? [...lost.facts, { type: 'source.lost', reason }] : lost.facts };
}

function sense(watch: Watch, raw: number, at: EpochMs): WatchStep {
  const { calibration } = watch;
  const level = calibration?.presence == null ? null : levelOf(raw, calibration.presence);
  const tracker = level === null ? watch.tracker : track(watch.tracker, level, at, rules.detector);
  const step =
    calibration?.wave == null
      ? { gesture: watch.gesture, fired: false }
      : watchGesture(watch.gesture, levelOf(raw, calibration.wave), at, rules.detector);
  const seen = reportReading({ ...watch, tracker, gesture: step.gesture }, level, at);
  return step.fired ? { watch: seen.watch, facts: [...seen.facts, { type: 'wave.detected', at }] } : seen;
}

function takeSample(before: Watch, raw: number, at: EpochMs): WatchStep {
  const { source } = before;
  if (source === null) return { watch: before, facts: [] };
  // A sensor that never gave a good reading is reported once as well, or it would seem as if no probe had run.
  const isChange = before.sound || !before.answered;
  if (!Number.isFinite(raw)) return lose({ ...before, answered: true }, 'bad-reading', at, isChange);
  if (isForeign(raw, before.calibration) && !isBusy(before))
    return lose({ ...before, answered: true }, 'source-lost', at, isChange);
  const found: WatchStep = before.sound
    ? { watch: before, facts: [] }
    : { watch: { ...before, sound: true, answered: true }, facts: [{ type: 'source.found', source }] };
  return chain(found, (watch) => {
    const seen = { ...watch, ...(at < watch.lastAt && restarted), lastAt: at, binary: watch.binary && isBinary(raw) };
    if (!isBusy(seen) || seen.session === null) return sense(seen, raw, at);
    return reportAll({ ...seen, ...restarted, session: stepSession(seen.session, raw, at, rules) }, null, at);
  });
}

function takeCommand(watch: Watch, command: SessionCommand, id: string, at: EpochMs): WatchStep {
  if (command === 'start') {
    if (!watch.sound || isBusy(watch)) return { watch, facts: [] };
    return reportAll({ ...watch, ...restarted, session: startSession(id, at, watch.binary) }, null, at);
  }
  if (watch.session === null) return { watch, facts: [] };
  return reportAll({ ...watch, session: commandSession(watch.session, command, at, rules) }, null, at);
}

/** Applies one input: the only place that decides what a sensor's samples mean. */
function advance(watch: Watch, input: WatchInput): WatchStep {
  switch (input.type) {
    case 'opened': {
      const calibration = isSameSource(watch.source, input.source) ? watch.calibration : null;
      // Found only with its first good sample: a device that opens but gives no reading does not count.
      return {
        watch: {
          ...watch,
          ...restarted,
          source: input.source,
          sound: false,
          answered: false,
          binary: true,
          calibration,
        },
        facts: [],
      };
    }
    case 'sample':
      return takeSample(watch, input.raw, input.at);
    case 'closed': {
      const lost = lose(watch, 'source-lost', input.at);
      return { watch: { ...lost.watch, source: null }, facts: lost.facts };
    }
    case 'adopt':
      return isSameSource(watch.source, input.source)
        ? reportAll({ ...watch, ...restarted, calibration: input.calibration }, null, input.at)
        : { watch, facts: [] };
    case 'command':
      return takeCommand(watch, input.command, input.id, input.at);
  }
}

/**
 * Watches one sensor and keeps the state between two inputs. It is idle while its readings have no use: the sensor is
 * neither calibrated nor being calibrated.
 */
export function watchProximity(): {
  readonly take: (input: WatchInput) => readonly ProximityFact[];
  readonly isIdle: () => boolean;
} {
  let watch = blankWatch;
  return {
    take: (input) => {
      const step = advance(watch, input);
      ({ watch } = step);
      return step.facts;
    },
    isIdle: () => watch.calibration === null && !isBusy(watch),
  };
}
