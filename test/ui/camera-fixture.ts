import type { WatcherKind } from '#machines/camera-session/events.ts';
import { absentCamera } from '#machines/camera/status.ts';
import type { StatusDocument } from '#machines/status.ts';
import { fixtureNow, fixtureStatus } from './fixture.ts';

/** A camera that is there, and off. */
export const cameraOff: StatusDocument['camera'] = {
  ...absentCamera,
  state: 'disabled',
  outcome: 'camera-disabled',
  fault_detail: null,
  summary: 'The camera is off.',
  action: 'Turn it on on the page of this panel.',
};

/** One that nothing uses. */
export const cameraIdle: StatusDocument['camera'] = {
  ...cameraOff,
  state: 'idle',
  outcome: 'ok',
  stream_port: 8554,
  summary: 'The camera is on, and not in use.',
  action: 'none',
};

/** One that is watched. */
export const cameraLive: StatusDocument['camera'] = {
  ...cameraIdle,
  state: 'live',
  live: true,
  clients: 3,
  stream_clients: 3,
  last_frame_age_ms: 40,
  indication: 'overlay',
  requested_fps: 15,
  encoder: 'libx264',
  encode_width: 1280,
  encode_height: 720,
  encode_fps: 15,
  encode_kbps: 2000,
  delivered_fps: 14.9,
  delivered_kbps: 1948,
  summary: 'The camera is in use.',
};

/** Two streams of Frigate, and one of Home Assistant that began earlier. */
export const watchers: readonly { readonly kind: WatcherKind; readonly since: number }[] = [
  { kind: 'frigate', since: fixtureNow - 60_000 },
  { kind: 'frigate', since: fixtureNow - 120_000 },
  { kind: 'home-assistant', since: fixtureNow - 3_600_000 },
];

/** The status of a panel with such a camera. */
export const withCamera = (camera: StatusDocument['camera'], more: object = {}): StatusDocument => ({
  ...fixtureStatus,
  camera,
  ...more,
});
