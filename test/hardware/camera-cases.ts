import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, closeSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';

import type { CameraObject } from '#machines/camera/events.ts';

import { asNobody } from './devices/as-nobody.ts';
import { cameraRig, type CameraRig, scanOnce } from './devices/camera-rig.ts';
import { opensDuring, straceProgram } from './devices/opens.ts';
import { type GuestCase, NotHere, until } from './guest-case.ts';

const node = '/dev/video0';
const driver = '/sys/bus/platform/drivers/vivid';
const device = 'vivid.0';
const ffmpeg = '/usr/bin/ffmpeg';

const plug = (how: 'bind' | 'unbind'): Promise<void> => writeFile(`${driver}/${how}`, device);

function need(...files: readonly string[]): void {
  const missing = files.find((file) => !existsSync(file));
  if (missing !== undefined) throw new NotHere(`no ${missing}`);
}

type Expected = Partial<Pick<CameraObject, 'state' | 'outcome' | 'fault' | 'fault_detail' | 'action'>>;

/** Waits for the camera object to say all of this. */
async function says(rig: CameraRig, expected: Expected): Promise<CameraObject> {
  let seen = rig.object();
  await until(`the camera to be ${JSON.stringify(expected)}`, async () => {
    seen = rig.object();
    return Object.entries(expected).every(([key, value]) => seen[key as keyof Expected] === value);
  }).catch((error: unknown) => {
    const { state, outcome, fault, fault_detail: detail, action } = seen;
    throw new Error(`${String(error)}; it says ${JSON.stringify({ state, outcome, fault, detail, action })}`);
  });
  return seen;
}

/** A session of the camera that a case has for itself. */
const withRig =
  (run: (rig: CameraRig) => Promise<string>): (() => Promise<string>) =>
  async () => {
    need(node, ffmpeg);
    const rig = cameraRig();
    try {
      await rig.scan();
      await says(rig, { state: 'idle', outcome: 'ok', fault: 'none', action: 'none' });
      return await run(rig);
    } finally {
      await rig.end();
    }
  };

async function listed(): Promise<string> {
  need(node, straceProgram);
  let name: string | undefined;
  const opened = await opensDuring(async (mark) => {
    const { devices } = await scanOnce();
    name = devices?.[0]?.name;
    await mark();
    // So that what follows is no trace that saw nothing.
    closeSync(openSync(node, 'r'));
  });
  assert.match(name ?? '', /^vivid/);
  const [scanned, after] = opened;
  assert.ok(
    scanned.some((line) => line.includes('/sys/class/video4linux/video0')),
    'the trace shows the scan',
  );
  assert.deepEqual(
    scanned.filter((line) => line.includes('/dev/video')),
    [],
  );
  assert.equal(after.filter((line) => line.includes(node)).length, 1, 'the trace shows an open');
  return `${name}, ${scanned.length} files opened, none a device`;
}

const streamed = withRig(async (rig) => {
  rig.watch();
  await says(rig, { state: 'live', outcome: 'ok', fault: 'none', action: 'none' });
  await until('pictures', async () => rig.units() >= 2);
  const { encoder, encode_width: width, encode_height: height, encode_fps: fps } = rig.object();
  assert.deepEqual({ encoder, width, height, fps }, { encoder: 'libx264', width: 640, height: 480, fps: 5 });
  rig.leave();
  await says(rig, { state: 'idle', action: 'none' });
  return `${rig.units()} pictures of ${width} by ${height}`;
});

const pictured = withRig(async (rig) => {
  rig.watch();
  await says(rig, { state: 'live' });
  const picture = await rig.picture();
  assert.equal(picture?.subarray(0, 3).toString('hex'), 'ffd8ff');
  return `${picture?.length} bytes`;
});

const unbound = withRig(async (rig) => {
  rig.watch();
  await says(rig, { state: 'live' });
  try {
    await plug('unbind');
    await says(rig, { fault: 'disconnected', fault_detail: 'unplugged', action: 'Plug the camera in again.' });
    rig.leave();
    await until('the session to rest', async () => rig.phase() === 'idle' || rig.phase() === 'degraded');
    await rig.scan();
    const action = 'Connect a camera, or load its kernel driver; Sconce looks again every minute.';
    await says(rig, { state: 'absent', outcome: 'camera-unavailable', fault_detail: 'not_enumerated', action });
    return 'unplugged, then absent';
  } finally {
    await plug('bind');
    await until('the camera again', async () => existsSync(node));
  }
});

const backAgain = withRig(async (rig) => {
  rig.watch();
  await says(rig, { state: 'live', fault: 'none', action: 'none' });
  return 'after it was bound again';
});

const occupied = withRig(async (rig) => {
  const other = spawn(ffmpeg, [...'-v error -f v4l2 -video_size 320x180 -i'.split(' '), node, '-f', 'rawvideo', '-'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(other, 'exit');
  try {
    await once(other.stdout, 'data');
    other.stdout.resume();
    rig.watch();
    await says(rig, {
      outcome: 'camera-unavailable',
      fault: 'open',
      fault_detail: 'busy',
      action: 'Close the other program; Sconce tries again with the next request.',
    });
    return rig.object().summary;
  } finally {
    other.kill('SIGKILL');
    await ended;
  }
});

const forbidden = withRig(async (rig) => {
  const action = 'Run: sudo usermod -aG video nobody and then start Sconce again.';
  const about = { outcome: 'camera-permission-needed', fault: 'permission' } as const;
  await asNobody(async () => {
    // The last scan was made before the right was lost, and named another user.
    rig.watch();
    await says(rig, { ...about, fault_detail: 'no-permission' });
    rig.leave();
    await until('the session to rest', async () => rig.phase() === 'idle');
    await rig.scan();
    await says(rig, { ...about, state: 'permission_needed', fault_detail: 'not-permitted', action });
  });
  await rig.scan();
  await says(rig, { state: 'idle' });
  return action;
});

/** The kernel's simulated camera, through the scan, the capture and the session. */
export const cameraCases: readonly GuestCase[] = [
  { title: 'the camera is listed without an open', run: listed },
  { title: 'the camera streams', run: streamed },
  // Decoding takes an emulated processor longer than all the rest.
  { title: 'the camera gives a picture', run: pictured, onlyInAll: true },
  { title: 'the camera that is unbound while it streams is disconnected, then absent', run: unbound },
  { title: 'the camera that was bound again streams', run: backAgain, onlyInAll: true },
  // Each starts ffmpeg, which takes an emulated processor seven seconds.
  { title: 'the camera that another program uses is busy', run: occupied, onlyInAll: true },
  { title: 'the camera of another user is forbidden', run: forbidden, onlyInAll: true },
];
