import type {
  CameraFault,
  CameraRefusal,
  CameraSessionContext,
  SessionPhase,
  SnapshotExposure,
} from '../camera-session/events.ts';

/** What the kernel reports about one video device, without opening it. */
export interface VideoDevice {
  /** The kernel's name of the device (`HD Webcam: HD Webcam`, `bcm2835-codec-decode`). */
  readonly name: string;
  /** Name of the kernel driver (`uvcvideo`); null if it is not listed. */
  readonly driver: string | null;
  /**
   * Index of this node among those of one device: a webcam's pictures are node 0, its metadata node 1; null if it is
   * not listed.
   */
  readonly index: number | null;
  /** Whether this process may open it for reading and writing; `missing` if there is no device file. */
  readonly access: 'allowed' | 'refused' | 'missing';
}

/** Result of a scan of the system's video devices. */
export type CameraScan =
  | { readonly found: 'none'; readonly detail: 'not_enumerated' | 'undetermined' | 'suppressed_by_profile' }
  /**
   * There are cameras. `refused` counts those without permission; `chosen` is the kernel's name of the one that is
   * used, by the profile's option or the first.
   */
  | { readonly found: 'devices'; readonly count: number; readonly refused: number; readonly chosen: string | null };

/** Reported by the driver. */
export interface CameraFact {
  readonly type: 'camera.enumerated';
  /** Every video device; null if the system would not list them. */
  readonly devices: readonly VideoDevice[] | null;
  /** Name of the user that the agent runs as. */
  readonly user?: string | null;
}

/** What the verdict must know of the session. */
export interface SessionSummary extends Pick<CameraSessionContext, 'fault' | 'faultDetail'> {
  readonly phase: SessionPhase;
}

/** Reported by what follows the setting and the session, at once and with each change. */
export interface SessionFact {
  readonly type: 'camera.session-changed';
  /** True if the owner turned the camera on. */
  readonly isEnabled: boolean;
  /** Null while its part is off or restarts. */
  readonly session: SessionSummary | null;
}

export type CameraEvent =
  | CameraFact
  | SessionFact
  /** Scan again now. */
  | { readonly type: 'camera.probe' };

export interface CameraDriverCommand {
  readonly type: 'camera.enumerate';
}

/** The camera object of the contract, with panel-assistant's fields. */
export interface CameraObject {
  readonly state: 'absent' | 'disabled' | 'permission_needed' | 'idle' | 'opening' | 'live' | 'degraded' | 'stopping';
  readonly outcome: 'ok' | CameraRefusal;
  readonly fault: CameraFault;
  /** While absent `suppressed_by_profile`, `not_enumerated` or `undetermined`; else a stable code, null without one. */
  readonly fault_detail: string | null;
  /** `none`, `retrying`, `waiting`. */
  readonly recovery: string;
  readonly clients: number;
  readonly last_frame_age_ms: number | null;
  readonly consecutive_failures: number;
  readonly indication: 'none' | 'overlay' | 'led';
  readonly live: boolean;
  readonly stream_clients: number;
  readonly stream_port: number | null;
  readonly requested_fps: number | null;
  readonly encoder: string | null;
  readonly encode_width: number | null;
  readonly encode_height: number | null;
  readonly encode_fps: number | null;
  readonly encode_kbps: number | null;
  readonly delivered_fps: number | null;
  readonly delivered_kbps: number | null;
  readonly snapshot_exposure: SnapshotExposure;
  readonly snapshot_exposure_fallbacks: number;
  readonly summary: string;
  readonly action: string;
}

export interface CameraContext {
  /** Result of the last scan; null before the first one ended. */
  readonly scan: CameraScan | null;
  /** Name of the user that the agent runs as, for the command that grants access; null while unknown. */
  readonly user: string | null;
  readonly isEnabled: boolean;
  readonly session: SessionSummary | null;
}

export interface CameraActor {
  readonly id: 'camera';
  readonly context: CameraContext;
  readonly event: Extract<CameraEvent, { readonly type: 'camera.probe' }>;
}
