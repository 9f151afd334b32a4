import type { Writable } from 'node:stream';

import type { SimulatedDevice } from '#drivers/simulator/device.ts';
import type { EncodeRequest } from '#machines/camera-session/events.ts';
import type { SimulatedCamera } from '#machines/simulator/events.ts';

import type { CaptureFailure } from './faults.ts';
import { rawInput } from './ffmpeg-line.ts';
import { createFilm, type FilmSize } from './film.ts';
import type { CaptureSource } from './source.ts';

/** Pictures a second of the simulated camera, like a webcam's in room light. */
const FILM_FPS = 15;

/** Sizes that it offers; the larger one for all that asks for more. */
const SMALL: FilmSize = { width: 640, height: 480 };
const LARGE: FilmSize = { width: 1280, height: 720 };

function refusalOf({ plugged, permitted, occupied }: SimulatedCamera): CaptureFailure | null {
  if (!plugged) return { fault: 'disconnected', detail: 'no-node' };
  if (!permitted) return { fault: 'permission', detail: 'no-permission' };
  return occupied ? { fault: 'open', detail: 'busy' } : null;
}

/** Draws and writes a picture whenever the last one was taken, at most 15 a second. */
function film(device: SimulatedDevice, size: FilmSize, input: Writable): () => void {
  const drawn = createFilm(size);
  const frame = Buffer.alloc(drawn.bytes);
  const startedAt = performance.now();
  let count = 0;
  let isWriting = false;
  let timer: NodeJS.Timeout | undefined;
  const draw = (): void => {
    if (device.panel.camera.blind) return drawn.drawBlack(frame);
    const now = new Date();
    drawn.draw(frame, {
      hours: now.getHours(),
      minutes: now.getMinutes(),
      seconds: now.getSeconds(),
      walkedFor: (performance.now() - startedAt) / 1000,
    });
  };
  const step = (): void => {
    count += 1;
    timer = setTimeout(step, Math.max(1, startedAt + (count * 1000) / FILM_FPS - performance.now()));
    if (isWriting || device.panel.camera.jammed) return;
    draw();
    isWriting = true;
    input.write(frame, () => {
      isWriting = false;
    });
  };
  step();
  return () => clearTimeout(timer);
}

/** The camera of the simulated panel, which films a drawn room. */
export function simulatedSource(device: SimulatedDevice, { height }: EncodeRequest): CaptureSource {
  const size = height > SMALL.height ? LARGE : SMALL;
  return {
    node: 'simulated',
    input: rawInput(size.width, size.height, FILM_FPS),
    rotate: 0,
    isGone: () => !device.panel.camera.plugged,
    refusal: () => refusalOf(device.panel.camera),
    feed: (input, lost) => {
      const endFilm = film(device, size, input);
      const endWatch = device.observe(
        ({ camera }) => {
          if (!camera.plugged) lost({ fault: 'disconnected', detail: 'unplugged' });
        },
        ['camera'],
      );
      return () => {
        endFilm();
        endWatch();
      };
    },
  };
}
