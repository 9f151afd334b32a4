import type { EpochMs } from '../kit/units.ts';
import type { DetectorSettings } from './timings.ts';

/** Near or clear, with any change that is still being debounced. */
export interface Tracker {
  /** Null until a first state has lasted for the debounce time. */
  readonly near: boolean | null;
  /** When the level crossed over to the current state. */
  readonly since: EpochMs;
  /** The opposite state, and when the level crossed over to it; null while nothing is changing. */
  readonly turning: { readonly near: boolean; readonly since: EpochMs } | null;
}

export const blankTracker: Tracker = { near: null, since: 0, turning: null };

/** What the level alone means; between the two thresholds the previous state holds. */
const bare = (level: number, before: boolean | null, { enterLevel, exitLevel }: DetectorSettings): boolean =>
  level >= enterLevel || (level > exitLevel && before === true);

/** Takes one level: near from 65, clear from 30, and a change counts once it has lasted 150 ms. */
export function track(tracker: Tracker, level: number, at: EpochMs, settings: DetectorSettings): Tracker {
  const near = bare(level, tracker.near, settings);
  if (near === tracker.near) return tracker.turning === null ? tracker : { ...tracker, turning: null };
  const turning = tracker.turning?.near === near ? tracker.turning : { near, since: at };
  return at - turning.since >= settings.debounceMs
    ? { near, since: turning.since, turning: null }
    : { ...tracker, turning };
}

/** State of the wave detection. */
export interface Gesture {
  readonly tracker: Tracker;
  /** True once the sensor was clear for long enough since the last wave. */
  readonly armed: boolean;
  /** When the next wave may fire. */
  readonly restsUntil: EpochMs;
  /** When the hand left for the first time; null without a first half of a double wave. */
  readonly firstGoneAt: EpochMs | null;
}

export const blankGesture: Gesture = { tracker: blankTracker, armed: false, restsUntil: 0, firstGoneAt: null };

/** A gesture after one level, and whether that level completed it. */
export interface GestureStep {
  readonly gesture: Gesture;
  readonly fired: boolean;
}

const fire = (gesture: Gesture, at: EpochMs, settings: DetectorSettings): GestureStep =>
  at < gesture.restsUntil
    ? { gesture, fired: false }
    : { gesture: { ...gesture, armed: false, firstGoneAt: null, restsUntil: at + settings.cooldownMs }, fired: true };

/** How long the state has held, up to a change that may be about to end it. */
const lasted = ({ since, turning }: Tracker, at: EpochMs): number => (turning?.since ?? at) - since;

function whileNear(gesture: Gesture, at: EpochMs, settings: DetectorSettings): GestureStep {
  const held = lasted(gesture.tracker, at);
  // A hand that stays is not a wave.
  if (held > settings.waveMaxMs) return { gesture: { ...gesture, armed: false, firstGoneAt: null }, fired: false };
  return settings.pattern === 'single' && gesture.armed && held >= settings.waveMinMs
    ? fire(gesture, at, settings)
    : { gesture, fired: false };
}

function onRelease(before: Gesture, gesture: Gesture, at: EpochMs, settings: DetectorSettings): GestureStep {
  const goneAt = gesture.tracker.since;
  const cameAt = before.tracker.since;
  const held = goneAt - cameAt;
  if (settings.pattern === 'single' || !gesture.armed || held < settings.waveMinMs || held > settings.waveMaxMs)
    return { gesture, fired: false };
  const follows = gesture.firstGoneAt !== null && cameAt - gesture.firstGoneAt <= settings.doubleGapMs;
  return follows ? fire(gesture, at, settings) : { gesture: { ...gesture, firstGoneAt: goneAt }, fired: false };
}

const whileClear = (gesture: Gesture, at: EpochMs, settings: DetectorSettings): Gesture => ({
  ...gesture,
  armed: gesture.armed || lasted(gesture.tracker, at) >= settings.armMs,
  firstGoneAt:
    gesture.firstGoneAt !== null && at - gesture.firstGoneAt > settings.doubleGapMs ? null : gesture.firstGoneAt,
});

/** Takes one level: armed by 700 ms of clear, fired by a wave, then at rest for a second. */
export function watchGesture(before: Gesture, level: number, at: EpochMs, settings: DetectorSettings): GestureStep {
  const gesture = { ...before, tracker: track(before.tracker, level, at, settings) };
  if (gesture.tracker.near === null) return { gesture, fired: false };
  if (gesture.tracker.near) return whileNear(gesture, at, settings);
  if (before.tracker.near === true) return onRelease(before, gesture, at, settings);
  return { gesture: whileClear(gesture, at, settings), fired: false };
}
