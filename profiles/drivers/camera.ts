import { z } from 'zod';

import type { CameraDevice, Rotation } from '#drivers/camera/device.ts';
import { enumerateVideo } from '#drivers/camera/linux.ts';
import { isCamera } from '#machines/camera/judge-devices.ts';

import { driverEntry, driverFamily, type Evidence } from '../driver-entry.ts';
import { alwaysThere, namesFound, noNeeds } from './evidence.ts';
import { deviceName } from './names.ts';

const rotations = [0, 90, 180, 270] as const satisfies readonly Rotation[];

/** Lists the cameras that the kernel shows; opens none, since that could light a lamp. */
async function scanForCameras(name: string | null): Promise<Evidence> {
  const devices = await enumerateVideo();
  if (devices === null) return { state: 'unknown', names: [], detail: 'The system would not list its video devices.' };
  const cameras = devices.filter((device) => isCamera(device) && (name === null || device.name === name));
  const evidence = namesFound(
    cameras.map((camera) => camera.name),
    name === null ? 'camera' : 'camera of that name',
  );
  return cameras.length > 0 && cameras.every(({ access }) => access === 'refused')
    ? { ...evidence, state: 'denied', detail: 'The kernel lists a camera that may not be opened.' }
    : evidence;
}

export const cameraDrivers = driverFamily<CameraDevice>('camera', [
  driverEntry({
    id: 'camera.v4l2',
    title: 'Camera of the kernel',
    summary: 'A USB camera or any other that the kernel offers as /dev/videoN; ffmpeg encodes its pictures.',
    options: () =>
      z.strictObject({
        name: deviceName().optional().meta({
          description: 'Exact name of the device as the kernel reports it; by default the first camera.',
        }),
        rotate: z
          .literal(rotations)
          .default(0)
          .meta({ description: 'Degrees by which the picture is turned clockwise, for a camera that hangs askew.' }),
      }),
    needs: { groups: ['video'], packages: ['ffmpeg'], kernel: ['/dev/video*'], udev: [] },
    risks: ['camera-open'],
    probe: 'It is listed without being opened; only a session that a person at the panel allowed opens it.',
    scan: ({ name }) => scanForCameras(name ?? null),
    create: ({ name, rotate }) => ({ kind: 'v4l2', name: name ?? null, rotate }),
  }),
  driverEntry({
    id: 'camera.simulated',
    title: 'Simulated camera',
    summary: 'Films a drawn room: a clock, and a person who walks by.',
    options: () => z.strictObject({}),
    needs: { ...noNeeds, packages: ['ffmpeg'] },
    risks: ['none'],
    probe: 'It is always there.',
    scan: alwaysThere,
    create: (_options, { simulated }) => ({ kind: 'simulated', device: simulated() }),
  }),
]);
