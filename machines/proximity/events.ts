import type { DriverLogic } from '../kit/placeholder.ts';
import type { TracePoint } from '../kit/trace.ts';
import type { EpochMs } from '../kit/units.ts';
import type { Verdict } from '../kit/verdict.ts';

/** Identity of a sensor; a calibration belongs to one sensor and is never used with another. */
export interface ProximitySource {
  /** Id of its driver in the catalogue, `proximity.iio`. */
  readonly driver: string;
  /** The kernel's name of the device, at most 64 characters. */
  readonly name: string;
}

/** What is known of presence or of waves. */
export type CapabilityStatus = 'not_tested' | 'validated' | 'not_detected' | 'not_distinguishable' | 'unavailable';

/** Whether presence and waves can be recognised; each is tested separately. */
export interface CapabilityStatuses {
  readonly presence: CapabilityStatus;
  readonly wave: CapabilityStatus;
}

/** Two raw readings; which one is larger gives the sensor's polarity. */
export interface References {
  readonly clear: number;
  readonly near: number;
}

/** Saved at the end of a guided calibration. */
export interface Calibration {
  /** `binary` if the sensor only ever gave 0 or 1. */
  readonly mode: 'binary' | 'ranged';
  /** Null if presence could not be recognised. */
  readonly presence: References | null;
  /** Null if waves could not be recognised. */
  readonly wave: References | null;
  readonly statuses: CapabilityStatuses;
  readonly at: EpochMs;
}

/** A calibration and the sensor it was made with. */
export interface SourceCalibration {
  readonly source: ProximitySource;
  readonly calibration: Calibration;
}

/** Stages of the guided calibration; the last four are its ends. */
export const stages = [
  'intro',
  'clear',
  'near',
  'return',
  'wave_baseline',
  'wave_capture',
  'waves',
  'review',
  'saved',
  'cancelled',
  'timed_out',
  'failed',
] as const;
export type Stage = (typeof stages)[number];

/** What the person at the panel should do now. */
export const cues = ['prepare', 'approach', 'hold', 'move_away', 'wait_clear', 'wave'] as const;
export type Cue = (typeof cues)[number];

/** Why a session ended without a calibration. */
export type SessionEnd = 'source-lost' | 'bad-reading' | 'clock-went-back' | 'session-limit' | 'page-gone';

/** Public view of the guided calibration. */
export interface SessionView {
  readonly id: string;
  readonly stage: Stage;
  readonly cue: Cue | null;
  readonly cueAt: EpochMs;
  /** When this cue ends without the person; null while it waits for them. */
  readonly cueEndsAt: EpochMs | null;
  /** When this stage times out; null if only the session's own limit applies. */
  readonly stageEndsAt: EpochMs | null;
  /** When the whole session times out. */
  readonly endsAt: EpochMs;
  /** Waves accepted so far, 0 to 3. */
  readonly waves: number;
  readonly statuses: CapabilityStatuses;
  /** What would be saved; null before the review, or if neither presence nor waves were recognised. */
  readonly candidate: Calibration | null;
  readonly reason: SessionEnd | null;
  /** The current reading in the sensor's own unit; null before the first. */
  readonly raw: number | null;
  /** 0 to 100 once both references are known, null before. */
  readonly level: number | null;
}

/** What a page asks of the session. */
export type SessionCommand = 'start' | 'begin' | 'cancel' | 'heartbeat' | 'saved';

/** Commands of the proximity driver. */
export type ProximityDriverCommand =
  /** The calibration to use for this sensor; null for none. */
  | { readonly type: 'proximity.adopt'; readonly source: ProximitySource; readonly calibration: Calibration | null }
  | { readonly type: 'session.command'; readonly command: SessionCommand }
  /** Probe for the sensor now instead of at the next interval. */
  | { readonly type: 'proximity.probe' };

/** Reported by the proximity driver; single samples never leave it. */
export type ProximityFact =
  | { readonly type: 'source.found'; readonly source: ProximitySource }
  /** No sensor was found; an `optional` one stays hidden until it was found once. */
  | { readonly type: 'source.missing'; readonly verdict: Verdict; readonly optional: boolean }
  | { readonly type: 'source.lost'; readonly reason: SessionEnd }
  /** Both are null while nothing can be trusted; the level changes at most four times a second. */
  | {
      readonly type: 'reading.changed';
      readonly near: boolean | null;
      readonly level: number | null;
      readonly at: EpochMs;
    }
  | { readonly type: 'session.changed'; readonly session: SessionView }
  | { readonly type: 'wave.detected'; readonly at: EpochMs };

/** Contract of the driver of a proximity sensor. */
export type ProximityDriver = DriverLogic<ProximityDriverCommand, undefined, ProximityFact>;

/** Inputs of a watched sensor, which the driver passes to the decisions it was given. */
export type WatchInput =
  | { readonly type: 'opened'; readonly source: ProximitySource; readonly at: EpochMs }
  | { readonly type: 'sample'; readonly raw: number; readonly at: EpochMs }
  | { readonly type: 'closed'; readonly at: EpochMs }
  | {
      readonly type: 'adopt';
      readonly source: ProximitySource;
      readonly calibration: Calibration | null;
      readonly at: EpochMs;
    }
  /** `id` becomes the id of a session that is started. */
  | { readonly type: 'command'; readonly command: SessionCommand; readonly id: string; readonly at: EpochMs };

/** Command to the store: make exactly these calibrations durable. */
export interface ProximityStoreCommand {
  readonly type: 'calibrations.keep';
  readonly calibrations: readonly SourceCalibration[];
}

/** Reported by the store of the calibrations. */
export type ProximityStoreFact =
  | { readonly type: 'calibrations.recalled'; readonly calibrations: readonly SourceCalibration[] }
  | { readonly type: 'calibrations.kept'; readonly calibrations: readonly SourceCalibration[] }
  | { readonly type: 'calibrations.unkept'; readonly reason: string };

/** Command to the worker that lights the screens. */
export interface WaveCommand {
  readonly type: 'wave.light';
}

/** Origin that a screen reports when a wave changed it. */
export const WAVE_ORIGIN = 'wave';

/** Steps of a calibration that can be requested. */
export const calibrationActions = ['start', 'begin', 'cancel', 'save', 'reset', 'heartbeat'] as const;
export type CalibrationAction = (typeof calibrationActions)[number];

export type ProximityEvent =
  | ProximityFact
  | ProximityStoreFact
  | { readonly type: 'calibration.asked'; readonly action: CalibrationAction; readonly sessionId: string | null }
  | { readonly type: 'wake.chosen'; readonly on: boolean }
  /** Probe for the sensor now. */
  | { readonly type: 'proximity.probe' };

/** Public facts about the proximity sensor. */
export interface ProximityContext {
  /** False only for an optional sensor that was never found. */
  readonly shown: boolean;
  /** Result of the last probe that found no sensor; null while there is one, or before the first probe. */
  readonly absence: Verdict | null;
  /** The current sensor; null if there is none. */
  readonly source: ProximitySource | null;
  readonly near: boolean | null;
  /** 0 far to 100 near; null while it cannot be trusted. */
  readonly level: number | null;
  /** Recent levels, at most one point a second; kept in memory only. */
  readonly trace: readonly TracePoint[];
  /** The running session, or the last one. */
  readonly session: SessionView | null;
  /** Every saved calibration, one per sensor that was calibrated on this panel. */
  readonly calibrations: readonly SourceCalibration[];
  /** Why the last save or reset failed; null after a good one. */
  readonly fault: string | null;
  readonly wakeOnWave: boolean;
  /** Waves seen since the agent started. */
  readonly waves: number;
}

export interface ProximityActor {
  readonly id: 'proximity';
  readonly context: ProximityContext;
  readonly event: Extract<ProximityEvent, { readonly type: 'calibration.asked' | 'proximity.probe' }>;
}
