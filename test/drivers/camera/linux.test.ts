import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { anyCamera } from '#drivers/camera/device.ts';
import { cameraScan, enumerateVideo } from '#drivers/camera/linux.ts';
import { SimulatedDevice } from '#drivers/simulator/device.ts';
import type { CameraDriverCommand, CameraEvent } from '#machines/camera/events.ts';
import { asUser } from '#test/drivers/as-user.ts';
import { isFact, runDriver } from '#test/drivers/run-driver.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sconce-camera-'));
});
afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

describe('enumerating video devices', () => {
  it('finds nothing where there is nothing', async () => {
    expect(await enumerateVideo(root)).toEqual([]);
    await put('dev/null', '');
    expect(await enumerateVideo(root)).toEqual([]);
  });

  it('tells name, driver, index and whether the file may be opened', async () => {
    await put('sys/class/video4linux/video0/name', 'HD Webcam: HD Webcam\n');
    await put('sys/class/video4linux/video0/index', '0\n');
    await put('sys/bus/usb/drivers/uvcvideo/bind', '');
    await mkdir(join(root, 'sys/class/video4linux/video0/device'));
    await symlink(join(root, 'sys/bus/usb/drivers/uvcvideo'), join(root, 'sys/class/video4linux/video0/device/driver'));
    await put('sys/class/video4linux/video1/name', 'HD Webcam: HD Webcam\n');
    await put('sys/class/video4linux/video1/index', '1\n');
    await put('sys/class/video4linux/v4l-subdev0/name', 'ov5647\n');
    await put('dev/video0', '');
    expect(await enumerateVideo(root)).toEqual([
      { name: 'HD Webcam: HD Webcam', driver: 'uvcvideo', index: 0, access: 'allowed' },
      { name: 'HD Webcam: HD Webcam', driver: null, index: 1, access: 'missing' },
    ]);
  });

  it('counts a device file of which sysfs says nothing', async () => {
    await put('dev/video3', '');
    expect(await enumerateVideo(root)).toEqual([{ name: 'video3', driver: null, index: null, access: 'allowed' }]);
  });

  it('says that the file may not be opened', async () => {
    await put('dev/video0', '');
    await chmod(join(root, 'dev/video0'), 0o000);
    expect(await asUser('#drivers/camera/linux.ts', 'enumerateVideo', root)).toMatchObject([{ access: 'refused' }]);
  });

  it('is null where the system will not list them', async () => {
    await put('sys/class/video4linux/video0/name', 'x');
    await chmod(join(root, 'sys/class/video4linux'), 0o000);
    expect(await asUser('#drivers/camera/linux.ts', 'enumerateVideo', root)).toBeNull();
    await chmod(join(root, 'sys/class/video4linux'), 0o700);
  });
});

describe('the camera driver', () => {
  it('looks at the start and when asked to, and sees what was plugged in', async () => {
    const driver = runDriver<CameraDriverCommand, CameraEvent>(cameraScan(anyCamera, root));
    const enumerated = (count: number) =>
      isFact<CameraEvent, 'camera.enumerated'>('camera.enumerated', ({ devices }) => devices?.length === count);
    await driver.until(enumerated(0));
    await put('dev/video0', '');
    driver.tell({ type: 'camera.enumerate' });
    await driver.until(enumerated(1));
    driver.stop();
    expect(driver.crashed()).toBeUndefined();
  });

  it('sees only the camera that the profile names', async () => {
    for (const [node, name] of [
      ['video10', 'Door'],
      ['video2', 'Hall'],
      ['video0', 'Door'],
    ] as const) {
      await put(`sys/class/video4linux/${node}/name`, name);
      await put(`sys/class/video4linux/${node}/index`, node === 'video0' ? '0' : '1');
    }
    const driver = runDriver<CameraDriverCommand, CameraEvent>(
      cameraScan({ kind: 'v4l2', name: 'Door', rotate: 0 }, root),
    );
    const { devices } = await driver.until(isFact<CameraEvent, 'camera.enumerated'>('camera.enumerated'));
    expect(devices?.map(({ name, index }) => [name, index])).toEqual([
      ['Door', 0],
      ['Door', 1],
    ]);
    driver.stop();
  });

  it('sees the simulated camera in each state', () => {
    const device = new SimulatedDevice();
    const driver = runDriver<CameraDriverCommand, CameraEvent>(cameraScan({ kind: 'simulated', device }, root));
    device.setCamera({ permitted: false });
    device.setCamera({ plugged: false });
    driver.tell({ type: 'camera.enumerate' });
    const seen = driver.facts.map((fact) =>
      fact.type === 'camera.enumerated' ? fact.devices?.map(({ name, access }) => `${name} ${access}`) : null,
    );
    expect(seen).toEqual([['Simulated camera allowed'], ['Simulated camera refused'], [], []]);
    driver.stop();
    device.setCamera({ plugged: true });
    expect(driver.facts).toHaveLength(4);
  });
});
