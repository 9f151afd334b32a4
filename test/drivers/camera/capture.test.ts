import { existsSync } from 'node:fs';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { CameraDevice } from '#drivers/camera/device.ts';
import { encodeLine } from '#drivers/camera/ffmpeg-line.ts';
import type { CaptureSource } from '#drivers/camera/source.ts';

import { amount } from '#test/fakes/amount.ts';
import { isRunning, madeUp, probed, request, startCapture } from './capturing.ts';

const device: CameraDevice = { kind: 'v4l2', name: null, rotate: 0 };
const hasFfmpeg = existsSync('/usr/bin/ffmpeg');

/** A camera that ffmpeg itself draws. */
const drawn = (size: string, fps: number, rotate: CaptureSource['rotate'] = 0): CaptureSource => ({
  node: 'drawn',
  input: ['-re', '-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=${fps}`],
  rotate,
  isGone: () => false,
});

let made: Awaited<ReturnType<typeof madeUp>>;
beforeEach(async () => {
  made = await madeUp();
});
afterEach(() => made.remove());

const capture = (extra: { readonly device?: CameraDevice } = {}) =>
  startCapture({ device, root: made.root, env: made.env, ...extra });

const refusesMjpeg = `case "$*" in *mjpeg*) echo "Cannot find a proper format for codec 'mjpeg' (id 7), pixel format 'none' (id -1)" >&2
  echo "/dev/video0: Invalid argument" >&2; exit 1 ;; esac`;

describe.skipIf(!hasFfmpeg)('what a capture publishes', () => {
  // A webcam in the dark; in `all` also one that is faster than was asked for, and one with the rate that was.
  const slow = [5, 15, 5] as const;
  it.each(amount([slow], [slow, [30, 15, 15], [30, 30, 30]]))(
    'of a camera of %s pictures a second, asked for %s: a key frame each second',
    async (camera, fps, given) => {
      const running = startCapture(
        { device, sources: async () => [drawn('640x480', camera)] },
        { asked: { height: 480, fps, kbps: 1000 } },
      );
      await vi.waitFor(() => expect(running.units.filter(({ isKey }) => isKey).length).toBe(4), { timeout: 20_000 });
      running.close();
      await running.closed();
      const keys = running.units.filter(({ isKey }) => isKey);
      const [format] = running.formats;
      if (format === undefined) throw new Error('no format');
      const [first] = keys;
      const since = keys.map(({ timestampMs }) => timestampMs - (first?.timestampMs ?? 0));
      expect(since.map((ms) => Math.round(ms / 100))).toEqual([0, 10, 20, 30]);
      // Until the fourth key frame, with one more or less at the end.
      const whole = running.units.slice(
        0,
        running.units.findLastIndex(({ isKey }) => isKey),
      );
      expect(Math.abs(whole.length - 3 * given)).toBeLessThanOrEqual(1);
      const gaps = whole.slice(1).map(({ timestampMs }, at) => timestampMs - (whole[at]?.timestampMs ?? 0));
      expect(Math.max(...gaps)).toBeLessThanOrEqual(1000 / given + 1);
      const { stream, keys: read, errors } = await probed(format, running.units);
      expect(stream).toEqual({
        codec_name: 'h264',
        profile: 'Constrained Baseline',
        width: 640,
        height: 480,
        has_b_frames: 0,
      });
      expect(read).toEqual(running.units.map(({ isKey }) => isKey));
      expect(errors).toBe('');
      running.stop();
    },
  );

  type Size = readonly [string, CaptureSource, 480 | 720, number, number];
  const sizes: readonly Size[] = [
    ['reduced, if it is larger', drawn('1280x720', 15), 480, 854, 480],
    ['turned, and with even sides', drawn('243x321', 15, 90), 720, 320, 242],
  ];
  const moreSizes: readonly Size[] = [
    ['as it is, if it is smaller', drawn('320x240', 15), 720, 320, 240],
    ['turned', drawn('640x480', 15, 90), 720, 480, 640],
    ['turned over', drawn('320x240', 15, 180), 720, 320, 240],
    ['with even sides', drawn('321x243', 15), 720, 320, 242],
  ];
  it.each(amount(sizes, [...sizes, ...moreSizes]))('is the picture %s', async (_, source, height, wide, high) => {
    const running = startCapture({ device, sources: async () => [source] }, { asked: { ...request, height } });
    expect(await running.opened()).toMatchObject({
      generation: 3,
      attempt: 2,
      encoding: { encoder: 'libx264', width: wide, height: high, fps: 15, kbps: 1000 },
    });
    running.stop();
    await running.settled();
  });

  it('is measured each second', async () => {
    const running = startCapture({ device, sources: async () => [drawn('320x240', 15)] });
    const measured = await running.until(
      (fact): fact is Extract<typeof fact, { type: 'capture.measured' }> =>
        fact.type === 'capture.measured' && fact.fps !== null,
    );
    expect(measured.fps).toBeGreaterThan(8);
    expect(measured.fps).toBeLessThan(22);
    expect(measured.kbps).toBeGreaterThan(10);
    expect(measured.at - (measured.lastAt ?? 0)).toBeLessThan(1000);
    running.stop();
    await running.settled();
  });
});

describe.skipIf(!hasFfmpeg)('how a capture finds its format', () => {
  it('takes the next format where one is not offered', async () => {
    await made.node('video0', 'HD Webcam', 0);
    await made.ffmpeg(`${refusesMjpeg}\ncamera`);
    const running = capture();
    await running.opened();
    const calls = await made.calls();
    expect(calls.map((call) => /-input_format (\w+)/.exec(call)?.[1])).toEqual(['mjpeg', 'yuyv422']);
    expect(calls[1]).toContain(`-framerate 15 -video_size 640x480 -i ${made.root}/dev/video0 `);
    running.close();
    await running.closed();
    expect(running.kinds()).toEqual(['capture.opened', 'capture.closed']);
    running.stop();
  });

  it('passes over nodes that are no cameras, in the order of their numbers', async () => {
    for (const node of ['video10', 'video2', 'video0']) await made.node(node, `Device of ${node}`, 0);
    await made.node('video1', 'Device of video0', 1);
    await made.ffmpeg(`case "$*" in *video10*) camera ;; esac
echo "[video4linux2,v4l2 @ 0x1] ioctl(VIDIOC_G_INPUT): Inappropriate ioctl for device" >&2; exit 1`);
    const running = capture();
    await running.opened();
    const nodes = (await made.calls()).map((call) => /dev\/(video\d+)/.exec(call)?.[1]);
    expect(nodes).toEqual(['video0', 'video2', 'video10']);
    running.stop();
    await running.settled();
  });

  it('opens the camera that the profile names, and no other', async () => {
    await made.node('video0', 'HD Webcam', 0);
    await made.node('video2', 'Door camera', 0);
    await made.ffmpeg('camera');
    const running = capture({ device: { ...device, name: 'Door camera' } });
    await running.opened();
    expect((await made.calls()).map((call) => /dev\/(video\d+)/.exec(call)?.[1])).toEqual(['video2']);
    running.stop();
    await running.settled();
  });
});

describe('how a capture breaks', () => {
  const dies = (words: string): string => `echo "${words}" >&2; exit 1`;
  const cases: readonly (readonly [what: string, nodes: number, script: string, fault: string, detail: string])[] = [
    ['there is no camera', 0, 'exit 1', 'disconnected', 'no-node'],
    ['another program has it', 2, dies('/dev/video0: Device or resource busy'), 'open', 'busy'],
    ['no right to it', 1, dies('/dev/video0: Permission denied'), 'permission', 'no-permission'],
    ['no node gives pictures', 2, dies('x: Inappropriate ioctl for device'), 'open', 'not-a-camera'],
    ['no format fits', 1, dies("Cannot find a proper format for codec 'x'"), 'configure', 'no-format'],
    ['it ends well and says why', 1, 'echo "ioctl(VIDIOC_DQBUF): No such device" >&2', 'disconnected', 'unplugged'],
    ['it ends without a word', 1, 'exit 0', 'encode', 'encoder-ended'],
    ['no x264', 1, dies("Unknown encoder 'libx264'"), 'stream_encoder', 'no-h264-encoder'],
    ['what it sends is no stream', 1, 'exec yes', 'encode', 'broken-stream'],
  ];
  it.each(cases)('where %s', async (_, nodes, script, fault, detail) => {
    for (let node = 0; node < nodes; node += 1) await made.node(`video${node}`, 'Webcam', 0);
    await made.ffmpeg(script);
    const running = capture();
    expect(await running.failed()).toMatchObject({ generation: 3, attempt: 2, fault, detail });
    await running.closed();
    expect(running.kinds()).toEqual(['capture.failed', 'capture.closed']);
    expect(running.ends()).toBe(0);
    running.stop();
  });

  it('where there is no ffmpeg', async () => {
    await made.node('video0', 'Webcam', 0);
    const running = startCapture({ device, root: made.root, env: { PATH: made.root } });
    expect(await running.failed()).toMatchObject({ fault: 'stream_encoder', detail: 'ffmpeg-missing' });
    await running.closed();
    running.stop();
  });

  it('after a node that was pulled out while nothing was said', async () => {
    await made.node('video0', 'Webcam', 0);
    await made.ffmpeg(`rm ${made.root}/dev/video0`);
    const running = capture();
    expect(await running.failed()).toMatchObject({ fault: 'disconnected', detail: 'unplugged' });
    await running.closed();
    running.stop();
  });

  it.skipIf(!hasFfmpeg)('with an encoder that is killed', async () => {
    await made.node('video0', 'Webcam', 0);
    await made.ffmpeg('camera');
    const running = capture();
    await running.opened();
    process.kill(await made.pid(), 'SIGKILL');
    expect(await running.failed()).toMatchObject({ fault: 'encode', detail: 'encoder-ended' });
    await running.closed();
    expect(running.kinds()).toEqual(['capture.opened', 'capture.failed', 'capture.closed']);
    expect([running.ends(), running.hub.format()]).toEqual([1, null]);
    const { length } = running.facts;
    running.close();
    expect(running.facts).toHaveLength(length);
    running.stop();
  });
});

describe('how a capture ends', () => {
  it.skipIf(!hasFfmpeg)('with the process gone, and nothing published once it was asked to', async () => {
    await made.node('video0', 'Webcam', 0);
    await made.ffmpeg('camera');
    const running = capture();
    await running.opened();
    const pid = await made.pid();
    running.close();
    const { length } = running.units;
    expect([running.ends(), running.hub.format()]).toEqual([1, null]);
    await running.closed();
    expect(await isRunning(pid)).toBe(false);
    expect(running.units).toHaveLength(length);
    expect(running.facts.at(-1)?.type).toBe('capture.closed');
    running.stop();
  });

  it('with a kill, half a second later, where the process does not listen', async () => {
    await made.node('video0', 'Webcam', 0);
    await made.ffmpeg("trap '' TERM\nwhile :; do sleep 0.05; done");
    const running = capture();
    await vi.waitFor(async () => expect(await made.pid()).toBeGreaterThan(0), { timeout: 10_000 });
    const pid = await made.pid();
    const asked = performance.now();
    running.close();
    const { at } = await running.closed();
    expect(at - asked).toBeGreaterThan(450);
    expect(await isRunning(pid)).toBe(false);
    expect(running.kinds()).toEqual(['capture.closed']);
    running.stop();
  });

  it('with the process gone, where the driver is stopped', async () => {
    await made.node('video0', 'Webcam', 0);
    await made.ffmpeg("trap '' TERM\nwhile :; do sleep 0.05; done");
    const running = capture();
    await vi.waitFor(async () => expect(await made.pid()).toBeGreaterThan(0), { timeout: 10_000 });
    const pid = await made.pid();
    running.stop();
    expect(await isRunning(pid)).toBe(true);
    await running.settled();
    expect(await isRunning(pid)).toBe(false);
    expect(running.crashed()).toBeUndefined();
  });

  it('before it has begun, without a process', async () => {
    await made.node('video0', 'Webcam', 0);
    await made.ffmpeg('camera');
    const running = capture();
    running.close();
    await running.closed();
    expect(running.kinds()).toEqual(['capture.closed']);
    expect(await made.calls()).toEqual([]);
    running.stop();
  });
});

describe('the line of ffmpeg', () => {
  it('has no name of a camera and no shell', () => {
    const line = encodeLine(['-f', 'v4l2', '-i', '/dev/video0'], 270, { height: 1080, fps: 30, kbps: 250 });
    expect(line.join(' ')).toContain("-vf transpose=cclock,scale=-2:'2*trunc(min(1080,ih)/2)' ");
    expect(line.join(' ')).toContain('-b:v 250k -maxrate 250k -bufsize 125k ');
    expect(line.join(' ')).toContain('-force_key_frames expr:gte(t,n_forced) -fpsmax 30 -fps_mode vfr ');
  });
});
