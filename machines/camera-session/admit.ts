import type { CameraRefusal } from './events.ts';
import type { SessionFacts } from './facts.ts';
import { refusalOf } from '../kit/camera.ts';

/** State of the session as far as it matters to a new lease; `closing` opens again afterwards, `stopping` does not. */
export type AdmitPhase = 'idle' | 'opening' | 'live' | 'degraded' | 'closing' | 'stopping';

/** Most leases of each kind; the server of the stream has the same bound (contract, "Limits"). */
export const MAX_STREAMS = 16;
export const MAX_PICTURES = 16;

type Asked = Pick<SessionFacts, 'scan' | 'fault' | 'retryAt' | 'encoderHoldUntil' | 'streams' | 'pictures'>;

/**
 * Why a new lease is refused, null if it is admitted. The gates in order: a camera exists, it may be opened, it is not
 * resting after a failure, its encoder is not, and there is room. The indication is asked for only after these.
 */
export function admit(facts: Asked, phase: AdmitPhase, lease: 'stream' | 'picture', at: number): CameraRefusal | null {
  if (phase === 'stopping') return 'camera-stopping';
  if (phase !== 'live') {
    // Frames that arrive are better evidence than a scan.
    if (facts.scan === 'gone') return 'camera-unavailable';
    if (facts.scan === 'refused') return 'camera-permission-needed';
  }
  const isResting = phase !== 'opening' && phase !== 'live' && facts.retryAt !== null && at < facts.retryAt;
  if (isResting) return refusalOf(facts.fault);
  if (lease === 'picture') return facts.pictures.length >= MAX_PICTURES ? 'camera-busy' : null;
  if (facts.encoderHoldUntil !== null && at < facts.encoderHoldUntil) return 'camera-stream-encoder-unavailable';
  return facts.streams.length >= MAX_STREAMS ? 'camera-busy' : null;
}
