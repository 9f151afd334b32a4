import type { DriverLogic } from '../kit/placeholder.ts';
import type { TracePoint } from '../kit/trace.ts';
import type { EpochMs } from '../kit/units.ts';
import type { Verdict } from '../kit/verdict.ts';

/** Which sensor it is; a calibration belongs to one and is never used with another. */
export interface ProximitySource {
  /** Id of its driver in the catalogue, `proximity.iio`. */
  readonly driver: string;
  /** Name of the device as the kernel gives it, at most 64 characters. */
  readonly name: string;
}

/** What is known of one of the two things that the sensor may be good for. */
export type CapabilityStatus = 'not_tested' | 'validated' | 'not_detected' | 'not_distinguishable' | 'unavailable';

/** Whether presence and waves can be told; each is tried on its own. */
export interface CapabilityStatuses {
  readonly presence: CapabilityStatus;
  readonly wave: CapabilityStatus;
}

/** Two raw readings; which of them is larger tells the sensor's polarity. */
export interface References {
  readonly clear: number;
  readonly near: number;
}

/** What a person saved at the end of a guided calibration. */
export interface Calibration {
  /** `binary` when the sensor only ever gave 0 or 1. */
  readonly mode: 'binary' | 'ranged';
  /** Null where presence could not be told. */
  readonly presence: References | null;
  /** Null where waves could not be told. */
  readonly wave: References | null;
  readonly statuses: CapabilityStatuses;
  readonly at: EpochMs;
}

/** A calibration with the sensor it was made for. */
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

/** What the person at the panel is to do now. */
export const cues = ['prepare', 'approach', 'hold', 'move_away', 'wait_clear', 'wave'] as const;
export type Cue = (typeof cues)[number];

/** Why a session ended without a calibration. */
export type SessionEnd = 'source-lost' | 'bad-reading' | 'clock-went-back' | 'session-limit' | 'page-gone';

/** The guided calibration as everybody may see it. */
export interface SessionView {
  readonly id: string;
  readonly stage: Stage;
  readonly cue: Cue | null;
  readonly cueAt: EpochMs;
  /** When this cue ends by itself; null while it waits for the person. */
  readonly cueEndsAt: EpochMs | null;
  /** When this stage is given up; null where only the session's own limit counts. */
  readonly stageEndsAt: EpochMs | null;
  /** When the whole session is given up. */
  readonly endsAt: EpochMs;
  /** Waves accepted so far, 0 to 3. */
  readonly waves: number;
  readonly statuses: CapabilityStatuses;
  /** What would be saved; null before the review, or when neither presence nor waves could be told. */
  readonly candidate: Calibration | null;
  readonly reason: SessionEnd | null;
  /** The reading now, in the sensor's own unit; null before the first. */
  readonly raw: number | null;
  /** 0 to 100 once both references are known, null before. */
  readonly level: number | null;
}

/** What a page asks of the session. */
export type SessionCommand = 'start' | 'begin' | 'cancel' | 'heartbeat' | 'saved';

/** Commands of the proximity driver. */
export type ProximityDriverCommand =
  /** The calibration that is in force for this sensor; null for none. */
  | { readonly type: 'proximity.adopt'; readonly source: ProximitySource; readonly calibration: Calibration | null }
  | { readonly type: 'session.command'; readonly command: SessionCommand }
  /** Probe for the sensor now instead of at the next turn. */
  | { readonly type: 'proximity.probe' };

/** What the proximity driver reports; single samples never leave it. */
export type ProximityFact =
  | { readonly type: 'source.found'; readonly source: ProximitySource }
  /** There is none; an `optional` one is kept hidden until it was found once. */
  | { readonly type: 'source.missing'; readonly verdict: Verdict; readonly optional: boolean }
  | { readonly type: 'source.lost'; readonly reason: SessionEnd }
  /** Both null while there is nothing to trust; the level at most four times a second. */
  | {
      readonly type: 'reading.changed';
      readonly near: boolean | null;
      readonly level: number | null;
      readonly at: EpochMs;
    }
  | { readonly type: 'session.changed'; readonly session: SessionView }
  | { readonly type: 'wave.detected'; readonly at: EpochMs };

/** Contract of a proximity sensor's driver. */
export type ProximityDriver = DriverLogic<ProximityDriverCommand, undefined, ProximityFact>;

/** What happens to a sensor that is watched; a driver hands it to the decisions that it was given. */
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
  /** `id` names the session that a start begins. */
  | { readonly type: 'command'; readonly command: SessionCommand; readonly id: string; readonly at: EpochMs };

/** Command of the store of the calibrations: these and no others are to be durable. */
export interface ProximityStoreCommand {
  readonly type: 'calibrations.keep';
  readonly calibrations: readonly SourceCalibration[];
}

/** What the store reports. */
export type ProximityStoreFact =
  | { readonly type: 'calibrations.recalled'; readonly calibrations: readonly SourceCalibration[] }
  | { readonly type: 'calibrations.kept'; readonly calibrations: readonly SourceCalibration[] }
  | { readonly type: 'calibrations.unkept'; readonly reason: string };

/** Command of what lights the screens. */
export interface WaveCommand {
  readonly type: 'wave.light';
}

/** Who the screen says changed it when a wave did. */
export const WAVE_ORIGIN = 'wave';

/** Steps of a calibration that can be asked for. */
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
  /** Whether it is shown at all: an optional one only once it was found. */
  readonly shown: boolean;
  /** What the last probe found when there is no sensor; null while there is one, or before the first probe. */
  readonly absence: Verdict | null;
  /** The sensor that is read; null while there is none. */
  readonly source: ProximitySource | null;
  readonly near: boolean | null;
  /** 0 far to 100 near; null while it cannot be trusted. */
  readonly level: number | null;
  /** The level as it went, at most one point a second; in memory alone. */
  readonly trace: readonly TracePoint[];
  /** The running session, or the last one. */
  readonly session: SessionView | null;
  /** Every saved calibration, one for each sensor that was calibrated here. */
  readonly calibrations: readonly SourceCalibration[];
  /** Why the last save or reset failed; null after a good one. */
  readonly fault: string | null;
  readonly wakeOnWave: boolean;
  /** Waves seen since the agent started. */
  readonly waves: number;
}

/** What the actor of the proximity sensor shows to the rest of the house. */
export interface ProximityActor {
  readonly id: 'proximity';
  readonly context: ProximityContext;
  readonly event: Extract<ProximityEvent, { readonly type: 'calibration.asked' | 'proximity.probe' }>;
}
