import type { CameraRefusal, CameraSessionContext, SessionPhase } from '../camera-session/events.ts';
import { refusalOf } from '../kit/camera.ts';
import type { Milliseconds } from '../kit/units.ts';
import { absentWords, type Words } from './absent-words.ts';
import type { CameraObject, CameraScan } from './events.ts';
import { faultWords } from './fault-words.ts';

/** What the camera object is made of. */
export interface CameraFacts {
  readonly scan: CameraScan | null;
  readonly isEnabled: boolean;
  /** Null while its part is off or restarts. */
  readonly session: { readonly phase: SessionPhase; readonly context: CameraSessionContext } | null;
  readonly elapsed: Milliseconds;
  /** Name of the user that the agent runs as. */
  readonly user?: string | null;
}

/** Nothing runs. */
const closed = {
  fault: 'none',
  recovery: 'none',
  clients: 0,
  last_frame_age_ms: null,
  consecutive_failures: 0,
  indication: 'none',
  live: false,
  stream_clients: 0,
  stream_port: null,
  requested_fps: null,
  encoder: null,
  encode_width: null,
  encode_height: null,
  encode_fps: null,
  encode_kbps: null,
  delivered_fps: null,
  delivered_kbps: null,
  snapshot_exposure: 'none',
  snapshot_exposure_fallbacks: 0,
} as const satisfies Partial<CameraObject>;

function object(
  state: CameraObject['state'],
  outcome: CameraObject['outcome'],
  facts: Partial<CameraObject> & Words,
): CameraObject {
  const { fault_detail = null, summary, action, ...rest } = facts;
  const { fault, ...other } = { ...closed, ...rest };
  return { state, outcome, fault, fault_detail, ...other, summary, action };
}

const disabled: Words = {
  summary: 'The camera is off.',
  action: 'Turn on the camera; a person must then approve it at the panel.',
};

const gettingReady: Words = { summary: 'The camera is getting ready.', action: 'Wait a moment.' };

const quiet: Readonly<Record<SessionPhase, string>> = {
  idle: 'The camera is ready, and closed.',
  opening: 'The camera is being opened.',
  live: 'The camera is in use.',
  degraded: 'The camera rests after several failures.',
  stopping: 'The camera is being closed.',
};

const streamWords = {
  'port-taken':
    'Another program uses the port of the stream, so only single pictures are served. End it; Sconce tries again every 10 seconds.',
  refused:
    'The system refuses the port of the stream, so only single pictures are served. Sconce tries again every 10 seconds.',
} as const;

function wordsOf(phase: SessionPhase, context: CameraSessionContext, user: string | null): Words {
  const { fault, faultDetail, streamFault } = context;
  const { summary, action } =
    fault === 'none' ? { summary: quiet[phase], action: 'none' } : faultWords(fault, faultDetail, user);
  if (streamFault === null) return { summary, action };
  return { summary, action: action === 'none' ? streamWords[streamFault] : `${action} ${streamWords[streamFault]}` };
}

/** The outcome of asking for a picture now. A fault stands until frames arrive again. */
function outcomeNow(phase: SessionPhase, { fault }: CameraSessionContext): 'ok' | CameraRefusal {
  if (fault !== 'none') return refusalOf(fault);
  return phase === 'stopping' ? 'camera-stopping' : 'ok';
}

function recoveryOf(phase: SessionPhase, { fault, retryAt }: CameraSessionContext, elapsed: Milliseconds): string {
  if (fault === 'none') return 'none';
  if (phase === 'opening') return 'retrying';
  return phase === 'degraded' || (retryAt !== null && elapsed < retryAt) ? 'waiting' : 'none';
}

const rounded = (value: number | null, digits: 0 | 1): number | null =>
  value === null ? null : Math.round(value * 10 ** digits) / 10 ** digits;

function sessionObject(
  { phase, context }: NonNullable<CameraFacts['session']>,
  elapsed: Milliseconds,
  user: string | null,
): CameraObject {
  const { encoding, delivered, lastFrameAt } = context;
  return object(phase, outcomeNow(phase, context), {
    fault: context.fault,
    fault_detail: context.faultDetail,
    recovery: recoveryOf(phase, context, elapsed),
    clients: context.clients,
    last_frame_age_ms: lastFrameAt === null ? null : Math.max(0, Math.round(elapsed - lastFrameAt)),
    consecutive_failures: context.failures,
    indication: context.indication,
    live: phase === 'live',
    stream_clients: context.watchers.length,
    stream_port: context.streamPort,
    requested_fps: context.requestedFps,
    encoder: encoding?.encoder ?? null,
    encode_width: encoding?.width ?? null,
    encode_height: encoding?.height ?? null,
    encode_fps: encoding?.fps ?? null,
    encode_kbps: encoding?.kbps ?? null,
    delivered_fps: rounded(delivered.fps, 1),
    delivered_kbps: rounded(delivered.kbps, 0),
    snapshot_exposure: context.exposure,
    snapshot_exposure_fallbacks: context.exposureFallbacks,
    ...wordsOf(phase, context, user),
  });
}

/**
 * The camera object of the contract. It is absent only without a camera; frames that arrive are better evidence than a
 * scan, which may be a minute old.
 */
export function cameraObject({ scan, isEnabled, session, elapsed, user = null }: CameraFacts): CameraObject {
  const isRunning = session?.phase === 'opening' || session?.phase === 'live' || session?.phase === 'stopping';
  if (isEnabled && session !== null && isRunning) return sessionObject(session, elapsed, user);
  if (scan === null || scan.found === 'none') return object('absent', 'camera-unavailable', absentWords(scan));
  if (!isEnabled) return object('disabled', 'camera-disabled', disabled);
  if (scan.refused === scan.count) {
    const { summary, action } = faultWords('permission', null, user);
    const port = { stream_port: session?.context.streamPort ?? null };
    const fault = { fault: 'permission', fault_detail: 'not-permitted' } as const;
    return object('permission_needed', 'camera-permission-needed', { ...fault, ...port, summary, action });
  }
  if (session === null) return object('idle', 'camera-unavailable', { fault_detail: 'starting', ...gettingReady });
  return sessionObject(session, elapsed, user);
}
