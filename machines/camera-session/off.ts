import type { CameraSessionContext } from './events.ts';

/** The facts at the start, and while the camera is off. */
export const closedSession: CameraSessionContext = {
  generation: 0,
  attempt: 0,
  clients: 0,
  watchers: [],
  streamPort: null,
  streamFault: null,
  requestedFps: null,
  encoding: null,
  delivered: { fps: null, kbps: null },
  lastFrameAt: null,
  fault: 'none',
  faultDetail: null,
  failures: 0,
  retryAt: null,
  encoderHoldUntil: null,
  indication: 'none',
  exposure: 'none',
  exposureFallbacks: 0,
  stillSequence: 0,
};
