import { describe, expect, it } from 'vitest';

import type { CameraFault, CameraSessionContext, SessionPhase } from '#machines/camera-session/events.ts';
import { closedSession } from '#machines/camera-session/off.ts';
import type { CameraObject, CameraScan } from '#machines/camera/events.ts';
import { CameraStatus } from '#machines/camera/status.ts';
import { type CameraFacts, cameraObject } from '#machines/camera/view.ts';

const present: CameraScan = { found: 'devices', count: 1, refused: 0, chosen: 'cam' };
const refused: CameraScan = { found: 'devices', count: 1, refused: 1, chosen: 'cam' };
const none: CameraScan = { found: 'none', detail: 'not_enumerated' };

const session = (phase: SessionPhase, facts: Partial<CameraSessionContext> = {}): CameraFacts['session'] => ({
  phase,
  context: { ...closedSession, streamPort: 8554, ...facts },
});

function seen(facts: Partial<CameraFacts>): CameraObject {
  const made = cameraObject({ scan: present, isEnabled: true, session: session('idle'), elapsed: 60_000, ...facts });
  expect(CameraStatus().parse(made)).toEqual(made);
  expect(made.summary).toMatch(/\.$/);
  return made;
}

describe('the state', () => {
  it.each<[string, Partial<CameraFacts>, CameraObject['state'], CameraObject['outcome']]>([
    ['before the first scan', { scan: null }, 'absent', 'camera-unavailable'],
    ['without a camera, though on', { scan: none }, 'absent', 'camera-unavailable'],
    ['without a camera, and off', { scan: none, isEnabled: false, session: null }, 'absent', 'camera-unavailable'],
    ['off', { isEnabled: false, session: null }, 'disabled', 'camera-disabled'],
    ['off while the session still ends', { isEnabled: false, session: session('live') }, 'disabled', 'camera-disabled'],
    ['off and forbidden', { scan: refused, isEnabled: false, session: null }, 'disabled', 'camera-disabled'],
    ['on and forbidden', { scan: refused }, 'permission_needed', 'camera-permission-needed'],
    [
      'forbidden before its part runs',
      { scan: refused, session: null },
      'permission_needed',
      'camera-permission-needed',
    ],
    ['on, before its part runs', { session: null }, 'idle', 'camera-unavailable'],
    ['ready', {}, 'idle', 'ok'],
    ['opening', { session: session('opening') }, 'opening', 'ok'],
    ['live', { session: session('live') }, 'live', 'ok'],
    ['live, though an old scan found none', { scan: none, session: session('live') }, 'live', 'ok'],
    ['live, though an old scan found it forbidden', { scan: refused, session: session('live') }, 'live', 'ok'],
    ['closing', { session: session('stopping') }, 'stopping', 'camera-stopping'],
    ['degraded', { session: session('degraded', { fault: 'starved', failures: 3 }) }, 'degraded', 'camera-starved'],
  ])('%s', (_, facts, state, outcome) => expect(seen(facts)).toMatchObject({ state, outcome }));

  it('is nothing but absent without a camera, whatever the switch says', () => {
    const absent = cameraObject({ scan: none, isEnabled: false, session: null, elapsed: 0 });
    expect(JSON.stringify(seen({ scan: none, elapsed: 9 }))).toBe(JSON.stringify(absent));
    expect(absent).toMatchObject({ fault: 'none', fault_detail: 'not_enumerated', stream_port: null, clients: 0 });
  });
});

describe('the words of a fault', () => {
  it.each<[CameraFault, string | null, CameraObject['outcome'], RegExp, RegExp]>([
    ['open', 'busy', 'camera-unavailable', /Another program uses the camera/, /Close the other program/],
    ['open', 'anything', 'camera-unavailable', /could not be opened/, /plug it in again/],
    ['open', 'constructor', 'camera-unavailable', /could not be opened/, /plug it in again/],
    ['permission', 'refused', 'camera-permission-needed', /may not open/, /sudo usermod -aG video sconce/],
    ['configure', 'no-format', 'camera-unavailable', /no pictures that Sconce can read/, /another resolution/],
    ['device_error', 'ended', 'camera-unavailable', /with an error/, /plug it in again/],
    ['disconnected', 'no-device', 'camera-unavailable', /unplugged/, /Plug the camera in/],
    ['starved', 'no-frames', 'camera-starved', /delivers no pictures/, /plug it in again/],
    ['encode', 'failed', 'camera-encode-failed', /encoder stopped/, /lower resolution/],
    [
      'stream_encoder',
      'ffmpeg-missing',
      'camera-stream-encoder-unavailable',
      /ffmpeg is not installed/,
      /sudo apt install ffmpeg$/,
    ],
    ['stream_encoder', 'no-libx264', 'camera-stream-encoder-unavailable', /could not be started/, /libx264/],
    ['indication', 'dark-without-led', 'camera-indication-unavailable', /dark and this panel has no LED/, /Turn on/],
    ['indication', 'led-failed', 'camera-indication-unavailable', /LED did not show/, /Check that the LED/],
    ['indication', 'unconfirmed', 'camera-indication-unavailable', /could not be confirmed/, /reload the dashboard/],
    ['indication', null, 'camera-indication-unavailable', /Nothing could show/, /Turn on the screen/],
    ['foreground', 'starting', 'camera-foreground-refused', /still starting/, /Wait/],
    ['foreground', 'no-renderer', 'camera-foreground-refused', /--renderer none/, /with its browser/],
    ['foreground', 'headless', 'camera-foreground-refused', /off-screen/, /with its browser/],
    ['foreground', 'foreign-browser', 'camera-foreground-refused', /Firefox/, /Chromium/],
    ['foreground', 'android', 'camera-foreground-refused', /Android/, /another|a panel/],
    ['foreground', 'no-browser', 'camera-foreground-refused', /no browser/, /dashboard/],
    ['foreground', null, 'camera-foreground-refused', /No screen/, /dashboard/],
  ])('%s, %s', (fault, faultDetail, outcome, summary, action) => {
    const made = seen({ session: session('idle', { fault, faultDetail }), user: 'sconce' });
    expect(made).toMatchObject({ outcome, fault, fault_detail: faultDetail });
    expect(made.summary).toMatch(summary);
    expect(made.action).toMatch(action);
  });

  it('name a shell variable where the user is unknown', () => {
    expect(seen({ scan: refused }).action).toContain('sudo usermod -aG video "$USER"');
  });
});

describe('the port of the stream', () => {
  it.each(['port-taken', 'refused'] as const)('%s: pictures go on, and the action says so', (streamFault) => {
    const made = seen({ session: session('idle', { streamPort: null, streamFault }) });
    expect(made).toMatchObject({ outcome: 'ok', stream_port: null });
    expect(made.action).toMatch(/port of the stream.*every 10 seconds/);
  });

  it('is said after what else is to be done', () => {
    const facts = { streamPort: null, streamFault: 'port-taken', fault: 'open', faultDetail: 'busy' } as const;
    expect(seen({ session: session('idle', facts) }).action).toMatch(/^Close the other program.*port of the stream/);
  });
});

describe('the recovery', () => {
  it.each<[SessionPhase, Partial<CameraSessionContext>, string]>([
    ['idle', {}, 'none'],
    ['idle', { fault: 'open', retryAt: 60_001 }, 'waiting'],
    ['idle', { fault: 'open', retryAt: 60_000 }, 'none'],
    ['opening', {}, 'none'],
    ['opening', { fault: 'starved' }, 'retrying'],
    ['degraded', { fault: 'starved', retryAt: 1 }, 'waiting'],
  ])('%s %j: %s', (phase, facts, recovery) => {
    expect(seen({ session: session(phase, facts) }).recovery).toBe(recovery);
  });
});

it('shows the numbers of a session as they are', () => {
  const made = seen({
    session: session('live', {
      clients: 3,
      watchers: [{ client: 1, kind: 'player', since: 1 }],
      requestedFps: 20,
      encoding: { encoder: 'libx264', width: 1280, height: 720, fps: 15, kbps: 2000 },
      delivered: { fps: 14.949, kbps: 1987.6 },
      lastFrameAt: 59_940.4,
      failures: 1,
      indication: 'overlay',
      exposure: 'budget',
      exposureFallbacks: 2,
    }),
  });
  expect(made).toMatchObject({
    clients: 3,
    stream_clients: 1,
    stream_port: 8554,
    requested_fps: 20,
    encoder: 'libx264',
    encode_width: 1280,
    encode_height: 720,
    encode_fps: 15,
    encode_kbps: 2000,
    delivered_fps: 14.9,
    delivered_kbps: 1988,
    last_frame_age_ms: 60,
    consecutive_failures: 1,
    indication: 'overlay',
    live: true,
    snapshot_exposure: 'budget',
    snapshot_exposure_fallbacks: 2,
    summary: 'The camera is in use.',
    action: 'none',
  });
});
