import { cameraHeights, type cameraRefusals, encodeBounds } from '../kit/camera.ts';
import type { DriverLogic } from '../kit/placeholder.ts';
import type { SessionPhase } from '../kit/session-phase.ts';
import type { Milliseconds } from '../kit/units.ts';
import type { InUseRefusal } from '../in-use/events.ts';

export type { SessionPhase };
export { cameraHeights, encodeBounds };
export type CameraResolution = keyof typeof cameraHeights;
export type CameraHeight = (typeof cameraHeights)[CameraResolution];

/** What the encoder is asked for: an upper bound of the height, since nothing is enlarged. */
export interface EncodeRequest {
  readonly height: CameraHeight;
  /** Frames per second. */
  readonly fps: number;
  /** Kilobits per second. */
  readonly kbps: number;
}

/** What the encoder was given. */
export interface Encoding {
  readonly encoder: 'libx264';
  /** Pixels, as in the stream's own SPS. */
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  readonly kbps: number;
}

/** Why no picture can be had now (as panel-assistant). */
export type CameraRefusal = (typeof cameraRefusals)[number];

/** What is broken. */
export type CameraFault =
  | 'none'
  | 'indication'
  | 'foreground'
  | 'permission'
  | 'open'
  | 'configure'
  | 'device_error'
  | 'disconnected'
  | 'starved'
  | 'encode'
  | 'stream_encoder';

/** Faults that a capture itself reports. */
export type CaptureFault = Extract<
  CameraFault,
  'permission' | 'open' | 'configure' | 'device_error' | 'disconnected' | 'encode' | 'stream_encoder'
>;

/**
 * One capture: a temporary child of the session, with the session's generation and its own attempt. It opens the
 * camera, encodes, and publishes frames to the hub of its driver (`drivers/camera/hub.ts`), never as events.
 */
export interface CaptureInput {
  readonly generation: number;
  readonly attempt: number;
  readonly request: EncodeRequest;
}
/** Ends the capture; `capture.closed` follows. */
export interface CaptureCommand {
  readonly type: 'capture.close';
}
/** `at` is of the monotonic clock. Every fact carries the attempt; those of another one are dropped. */
export type CaptureFact = { readonly generation: number; readonly attempt: number } & (
  | /** The first frame is there. */
    { readonly type: 'capture.opened'; readonly encoding: Encoding; readonly at: Milliseconds }
  /** Once a second while it delivers or starves. */
  | {
      readonly type: 'capture.measured';
      /** When the newest frame came; null before the first. */
      readonly lastAt: Milliseconds | null;
      /** Over the last 5 s; null before a second has passed. */
      readonly fps: number | null;
      readonly kbps: number | null;
      readonly at: Milliseconds;
    }
  /** It broke: `detail` is a stable code such as `busy`, `ffmpeg-missing`, `no-node`; `capture.closed` follows. */
  | {
      readonly type: 'capture.failed';
      readonly fault: CaptureFault;
      readonly detail: string;
      readonly at: Milliseconds;
    }
  /** The process is gone and the device closed: always the last fact. */
  | { readonly type: 'capture.closed'; readonly at: Milliseconds }
);
export type CaptureDriver = DriverLogic<CaptureCommand, CaptureInput, CaptureFact>;

/** Who watches, as far as its requests tell. */
export type WatcherKind = 'home-assistant' | 'frigate' | 'go2rtc' | 'player';

/** One client of the stream; never its address. */
export interface Watcher {
  readonly client: number;
  readonly kind: WatcherKind;
  readonly since: Milliseconds;
}

/** Commands to the RTSP server, which listens while the switch is on. */
export type StreamCommand =
  /** Frames are in the hub: its DESCRIBE may be answered. */
  | { readonly type: 'stream.admit'; readonly client: number }
  | { readonly type: 'stream.refuse'; readonly client: number; readonly refusal: CameraRefusal }
  /** Ends every client; the listener stays. */
  | { readonly type: 'stream.drop' };
export interface StreamInput {
  /** TCP and RTP port; 0 takes a free one. */
  readonly port: number;
}
export type StreamFact =
  | { readonly type: 'stream.listening'; readonly port: number }
  /** The port is taken, or the system refuses; tried again each 10 s. */
  | { readonly type: 'stream.blocked'; readonly code: 'port-taken' | 'refused' }
  /**
   * A client asks for the stream (DESCRIBE, a lease): answered by `stream.admit` or `stream.refuse` within 5 s. Null
   * for what its address does not name.
   */
  | {
      readonly type: 'stream.wanted';
      readonly client: number;
      readonly height: CameraHeight | null;
      readonly fps: number | null;
      readonly kbps: number | null;
      readonly at: Milliseconds;
    }
  /** Its lease ends: it left, or did not play within 10 s. */
  | { readonly type: 'stream.left'; readonly client: number; readonly at: Milliseconds }
  /** Those that play, whenever that changes. */
  | { readonly type: 'stream.watched'; readonly watchers: readonly Watcher[] };
export type StreamDriver = DriverLogic<StreamCommand, StreamInput, StreamFact>;

/** Decodes the newest key frame of the hub to JPEG; one at a time, in order. */
export interface StillCommand {
  readonly type: 'still.take';
  readonly id: number;
  /** Null for the height of the stream. */
  readonly height: CameraHeight | null;
}
export interface StillFact {
  readonly type: 'still.taken';
  readonly id: number;
  /** Null if it failed. */
  readonly jpeg: Uint8Array | null;
}
export type StillDriver = DriverLogic<StillCommand, undefined, StillFact>;

/** Holds the mark that shows the room that the camera is in use (`machines/in-use`). */
export type IndicationCommand = { readonly type: 'indication.hold' } | { readonly type: 'indication.release' };
export type IndicationFact =
  | { readonly type: 'indication.confirmed'; readonly by: 'overlay' | 'led' }
  /** Also if it was confirmed before and is lost: nothing may be filmed. */
  | { readonly type: 'indication.refused'; readonly reason: InUseRefusal };
export type IndicationDriver = DriverLogic<IndicationCommand, undefined, IndicationFact>;

/** Answer to `camera.snapshot`. `fault_detail` and `action` are in the camera object. */
export type SnapshotOutcome =
  | { readonly status: 'taken'; readonly jpeg: Uint8Array }
  | { readonly status: 'refused'; readonly refusal: CameraRefusal };

/** How the last picture was exposed. */
export type SnapshotExposure = 'none' | 'converged' | 'budget';

export type CameraSessionEvent =
  /** One picture; opens the camera if need be. One `reply` with a `SnapshotOutcome`. */
  | {
      readonly type: 'camera.snapshot';
      readonly requestId: string;
      readonly height: CameraHeight | null;
      readonly at: Milliseconds;
    }
  | CaptureFact
  | StreamFact
  | StillFact
  | IndicationFact
  /** What the settings ask of the next session. */
  | { readonly type: 'encoding.changed'; readonly request: EncodeRequest }
  /** The last scan; `refused` if none of the cameras may be opened. */
  | { readonly type: 'scan.changed'; readonly camera: ScannedCamera }
  /** Ends captures and clients in order, and then the session. */
  | { readonly type: 'camera-session.stop' };

/** What the scan says about the camera, without opening it. */
export type ScannedCamera = 'present' | 'refused' | 'gone';

/** Reported by what follows the settings and the scan. */
export type SurroundingsFact = Extract<CameraSessionEvent, { readonly type: 'encoding.changed' | 'scan.changed' }>;

/** Public facts of the session; its phase is its state (`kit/session-phase.ts`). */
export interface CameraSessionContext {
  readonly generation: number;
  readonly attempt: number;
  /** Users of the session: streams and pictures. */
  readonly clients: number;
  readonly watchers: readonly Watcher[];
  readonly streamPort: number | null;
  readonly streamFault: 'port-taken' | 'refused' | null;
  /** Frames per second that the opener asked for; null without a session. */
  readonly requestedFps: number | null;
  readonly encoding: Encoding | null;
  readonly delivered: { readonly fps: number | null; readonly kbps: number | null };
  readonly lastFrameAt: Milliseconds | null;
  readonly fault: CameraFault;
  /** Stable code; null without one. */
  readonly faultDetail: string | null;
  readonly failures: number;
  /** Earliest moment of the next attempt; null for at once. */
  readonly retryAt: Milliseconds | null;
  /** Until then stream clients are refused, after the encoder failed. */
  readonly encoderHoldUntil: Milliseconds | null;
  readonly indication: 'none' | 'overlay' | 'led';
  readonly exposure: SnapshotExposure;
  readonly exposureFallbacks: number;
  /** Rises when a new picture is worth fetching: at the start, and every 10 s while a stream runs; 0 while off. */
  readonly stillSequence: number;
}

export interface CameraSessionActor {
  readonly id: 'camera-session';
  readonly context: CameraSessionContext;
  readonly event: Extract<CameraSessionEvent, { readonly type: 'camera.snapshot' | 'camera-session.stop' }>;
  readonly asks: { readonly 'camera.snapshot': SnapshotOutcome };
}
