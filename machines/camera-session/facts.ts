import { cameraHeights, defaultEncoding } from '../kit/camera.ts';
import type {
  CameraHeight,
  CameraRefusal,
  CameraSessionContext,
  CameraSessionEvent,
  EncodeRequest,
  ScannedCamera,
  SnapshotOutcome,
} from './events.ts';
import type { Milliseconds } from '../kit/units.ts';
import { closedSession } from './off.ts';

/** A client of the stream, from its request on; null for what its address does not name. */
export interface StreamLease {
  readonly client: number;
  readonly height: CameraHeight | null;
  readonly fps: number | null;
  readonly kbps: number | null;
  /** False while it waits for the first frame. */
  readonly isAdmitted: boolean;
}

/** A picture that was asked for and not answered yet. */
export interface PictureLease {
  readonly requestId: string;
  readonly height: CameraHeight | null;
  /** Number of the still that is being decoded for it; null while it waits for frames. */
  readonly still: number | null;
  readonly exposure: 'converged' | 'budget';
}

/** Full context of the session: the public facts, and its leases. */
export interface SessionFacts extends CameraSessionContext {
  readonly streams: readonly StreamLease[];
  readonly pictures: readonly PictureLease[];
  /** What the settings ask of the next session. */
  readonly configured: EncodeRequest;
  /** What captures of this session are asked for; null without one. */
  readonly request: EncodeRequest | null;
  /** Null before the first scan. */
  readonly scan: ScannedCamera | null;
  /** Attempt of the capture that is not closed yet; null without one. */
  readonly running: number | null;
  /** When frames of the running capture began; null before. */
  readonly openedAt: Milliseconds | null;
  /** Pause before the next attempt; 0 for none. */
  readonly pauseMs: Milliseconds;
  /** Stills that were asked for so far. */
  readonly stills: number;
  /** When `stillSequence` last rose; null before. */
  readonly stillAt: Milliseconds | null;
  /** Newest moment of the monotonic clock that an event brought. */
  readonly at: Milliseconds;
}

/** Events of the machine: those of the session, and the ends of waits. */
export type SessionEvent =
  | CameraSessionEvent
  | { readonly type: 'picture.expired'; readonly requestId: string }
  | { readonly type: 'stream.expired'; readonly client: number };

export type EventOf<T extends SessionEvent['type']> = Extract<SessionEvent, { readonly type: T }>;

export const refused = (refusal: CameraRefusal): SnapshotOutcome => ({ status: 'refused', refusal });

/** The facts of a session that was just started; `stillSequence` says that the camera was turned on. */
export const initialFacts: SessionFacts = {
  ...closedSession,
  stillSequence: 1,
  streams: [],
  pictures: [],
  configured: {
    height: cameraHeights[defaultEncoding.resolution],
    fps: defaultEncoding.fps,
    kbps: defaultEncoding.kbps,
  },
  request: null,
  scan: null,
  running: null,
  openedAt: null,
  pauseMs: 0,
  stills: 0,
  stillAt: null,
  at: 0,
};
