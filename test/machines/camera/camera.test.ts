import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { CameraDriverCommand, CameraScan, VideoDevice } from '#machines/camera/events.ts';
import { isCamera, judgeDevices } from '#machines/camera/judge-devices.ts';
import { cameraMachine } from '#machines/camera/machine.ts';
import { cameraObject } from '#machines/camera/view.ts';
import { fakeDriver } from '#test/fakes/fake-driver.ts';

const device = (
  name: string,
  driver: string | null = null,
  index: number | null = 0,
  access: VideoDevice['access'] = 'allowed',
): VideoDevice => ({
  name,
  driver,
  index,
  access,
});

describe('isCamera', () => {
  it.each([
    ['a webcam', device('HD Webcam: HD Webcam', 'uvcvideo'), true],
    ["a webcam's metadata node", device('HD Webcam: HD Webcam', 'uvcvideo', 1), false],
    ['a ribbon camera on a Pi', device('unicam-image', 'unicam'), true],
    ["a ribbon camera's embedded data", device('unicam-embedded', 'unicam', 1), false],
    ["the Pi's decoder", device('bcm2835-codec-decode', 'bcm2835-codec'), false],
    ["the Pi's picture processor", device('bcm2835-isp-capture0', 'bcm2835-isp'), false],
    ["the Pi 5's back end", device('pispbe-input', 'pispbe'), false],
    ['a decoder whose driver is not shown', device('rpi-hevc-dec', null), false],
    ['an Allwinner decoder', device('cedrus', 'cedrus'), false],
    ['a Rockchip scaler', device('rockchip-rga', 'rockchip-rga'), false],
    ['a loopback that stands in for a camera', device('Dummy video device (0x0000)', null), true],
    ['a test output', device('vivid-000-vid-out', 'vivid'), false],
    ['a device file of which nothing is known', device('video0', null, null), true],
    ['a camera whose name holds such letters', device('Discovery ISPY', 'uvcvideo'), true],
  ])('%s', (_, candidate, expected) => {
    expect(isCamera(candidate)).toBe(expected);
  });
});

describe('judgeDevices', () => {
  it.each<[string, readonly VideoDevice[] | null, boolean, CameraScan]>([
    ['nothing there', [], false, { found: 'none', detail: 'not_enumerated' }],
    [
      'only a decoder',
      [device('bcm2835-codec-decode', 'bcm2835-codec')],
      false,
      { found: 'none', detail: 'not_enumerated' },
    ],
    ['not allowed to list', null, false, { found: 'none', detail: 'undetermined' }],
    [
      'suppressed, with a camera',
      [device('cam', 'uvcvideo')],
      true,
      { found: 'none', detail: 'suppressed_by_profile' },
    ],
    [
      'a camera',
      [device('cam', 'uvcvideo'), device('cam', 'uvcvideo', 1)],
      false,
      { found: 'devices', count: 1, refused: 0, chosen: 'cam' },
    ],
    [
      'a camera without permission',
      [device('cam', 'uvcvideo', 0, 'refused')],
      false,
      { found: 'devices', count: 1, refused: 1, chosen: 'cam' },
    ],
  ])('%s', (_, devices, suppressed, expected) => {
    expect(judgeDevices(devices, suppressed)).toEqual(expected);
  });
});

describe('the camera object without a camera', () => {
  it.each<[string, CameraScan | null, string, RegExp]>([
    ['before the first scan', null, 'undetermined', /moment/],
    ['suppressed', { found: 'none', detail: 'suppressed_by_profile' }, 'suppressed_by_profile', /another profile/],
    ['none', { found: 'none', detail: 'not_enumerated' }, 'not_enumerated', /Connect a camera/],
    ['not listable', { found: 'none', detail: 'undetermined' }, 'undetermined', /read \/sys/],
  ])('%s', (_, scan, detail, action) => {
    const camera = cameraObject({ scan, isEnabled: true, session: null, elapsed: 0 });
    expect(camera).toMatchObject({
      state: 'absent',
      outcome: 'camera-unavailable',
      fault_detail: detail,
      live: false,
      stream_port: null,
    });
    expect(camera.action).toMatch(action);
    expect(camera.summary).toMatch(/\.$/);
  });
});

describe('the camera', () => {
  const start = (suppressed: boolean) => {
    const commands: CameraDriverCommand[] = [];
    let crash = (): void => {};
    const source = fromDriver<CameraDriverCommand, undefined, never>(({ onEvent, guard }) => {
      onEvent((command) => void commands.push(command));
      crash = guard(() => {
        throw new Error('broken');
      });
    });
    const follower = fakeDriver();
    const actor = createActor(cameraMachine.provide({ actors: { source, follower: follower.logic } }), {
      input: { suppressed },
    }).start();
    return { actor, commands, follower, crash: () => crash() };
  };

  it('is known to be absent at once where the profile says so', () => {
    expect(start(true).actor.getSnapshot().context.scan).toMatchObject({ detail: 'suppressed_by_profile' });
  });

  it('follows what is found, and scans when asked to', () => {
    const { actor, commands } = start(false);
    expect(actor.getSnapshot().context.scan).toBeNull();
    actor.send({ type: 'camera.enumerated', devices: [] });
    expect(actor.getSnapshot().context.scan).toMatchObject({ detail: 'not_enumerated' });
    actor.send({ type: 'camera.probe' });
    expect(commands).toEqual([{ type: 'camera.enumerate' }]);
    actor.send({ type: 'camera.enumerated', devices: [device('cam', 'uvcvideo')] });
    expect(actor.getSnapshot().context.scan).toMatchObject({ chosen: 'cam' });
  });

  it('ends as failed when the driver breaks', () => {
    const { actor, crash } = start(false);
    crash();
    expect(actor.getSnapshot()).toMatchObject({ status: 'done', output: { ended: 'failed', reason: 'camera-driver' } });
  });

  it('keeps what the session is, for the verdict', () => {
    const { actor } = start(false);
    const session = { phase: 'live', fault: 'none', faultDetail: null } as const;
    actor.send({ type: 'camera.session-changed', isEnabled: true, session });
    expect(actor.getSnapshot().context).toMatchObject({ isEnabled: true, session });
  });

  it('ends as failed when its follower breaks', () => {
    const { actor, follower } = start(false);
    follower.crash();
    expect(actor.getSnapshot()).toMatchObject({ output: { ended: 'failed', reason: 'camera-follower' } });
  });
});
