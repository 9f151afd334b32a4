import { describe, expect, it } from 'vitest';

import type { CameraContext, CameraScan, SessionSummary } from '#machines/camera/events.ts';
import { judgeCamera } from '#machines/camera/verdict.ts';

const present: CameraScan = { found: 'devices', count: 2, refused: 1, chosen: 'cam' };
const refused: CameraScan = { found: 'devices', count: 1, refused: 1, chosen: 'cam' };
const ready: SessionSummary = { phase: 'idle', fault: 'none', faultDetail: null };

describe('the verdict on a camera that is there', () => {
  it.each<[string, Partial<CameraContext>, string, string, string | null]>([
    ['off', { isEnabled: false, session: null }, 'off', 'camera-off', null],
    [
      'off and forbidden',
      { scan: refused, isEnabled: false, session: null },
      'off',
      'camera-not-permitted',
      'sudo usermod -aG video sconce',
    ],
    ['forbidden', { scan: refused }, 'needs_you', 'camera-not-permitted', 'sudo usermod -aG video sconce'],
    ['before its part runs', { session: null }, 'checking', 'camera-starting', null],
    ['ready', {}, 'working', 'camera-ready', null],
    ['in use', { session: { ...ready, phase: 'live' } }, 'working', 'camera-in-use', null],
    [
      'in use, though an old scan found it forbidden',
      { scan: refused, session: { ...ready, phase: 'live' } },
      'working',
      'camera-in-use',
      null,
    ],
    ['busy', { session: { ...ready, fault: 'open', faultDetail: 'busy' } }, 'needs_you', 'camera-busy', null],
    [
      'without ffmpeg',
      { session: { ...ready, fault: 'stream_encoder', faultDetail: 'ffmpeg-missing' } },
      'needs_you',
      'camera-ffmpeg-missing',
      'sudo apt install ffmpeg',
    ],
    [
      'starved',
      { session: { phase: 'degraded', fault: 'starved', faultDetail: 'no-frames' } },
      'needs_you',
      'camera-starved',
      null,
    ],
    [
      'with an error',
      { session: { ...ready, fault: 'device_error', faultDetail: 'ended' } },
      'needs_you',
      'camera-device-error',
      null,
    ],
    [
      'without a kiosk screen',
      { session: { ...ready, fault: 'foreground', faultDetail: 'headless' } },
      'needs_you',
      'camera-foreground',
      null,
    ],
    [
      'dark, without an LED',
      { session: { ...ready, fault: 'indication', faultDetail: 'dark-without-led' } },
      'working',
      'camera-waits',
      null,
    ],
    [
      'while the browser starts',
      { session: { ...ready, fault: 'foreground', faultDetail: 'starting' } },
      'working',
      'camera-waits',
      null,
    ],
    [
      'with an LED that fails',
      { session: { ...ready, fault: 'indication', faultDetail: 'led-failed' } },
      'needs_you',
      'camera-indication',
      null,
    ],
  ])('%s', (_, facts, state, reason, command) => {
    const verdict = judgeCamera({ scan: present, user: 'sconce', isEnabled: true, session: ready, ...facts });
    expect(verdict).toMatchObject({ state, reason });
    expect(verdict.fix?.command ?? null).toBe(command);
    expect(verdict.detail).toMatch(/\.$/);
  });
});
