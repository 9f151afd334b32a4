/** What a real look at the system's video devices found. */
export type CameraLook =
  | { readonly found: 'none'; readonly detail: 'not_enumerated' | 'undetermined' | 'suppressed_by_profile' }
  /** Capture devices exist; this build has no camera session, so the camera stays absent and says so. */
  | { readonly found: 'devices'; readonly count: number };

export type CameraEvent = { readonly type: 'camera.looked'; readonly look: CameraLook } | { readonly type: 'camera.look' } | { readonly type: 'camera.stop' };

/** The camera object of the contract, every field named in api-facts 3.5. */
export interface CameraObject {
  readonly state: 'absent';
  readonly outcome: string;
  readonly fault: 'none';
  readonly fault_detail: 'suppressed_by_profile' | 'not_enumerated' | 'undetermined';
  readonly recovery: 'none';
  readonly clients: number;
  readonly last_frame_age_ms: number | null;
  readonly consecutive_failures: number;
  readonly indication: 'none';
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
  readonly summary: string;
  readonly action: string;
}

export interface CameraContext {
  readonly camera: CameraObject;
}
