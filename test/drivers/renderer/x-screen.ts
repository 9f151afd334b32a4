import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Corner } from '#drivers/renderer/png-corner.ts';

/** An X server without a display, and what it shows. */
export interface XScreen {
  readonly env: NodeJS.ProcessEnv;
  /** Name of its display, such as `:3`. */
  readonly display: string;
  /** Its top left corner, read from the server's own picture. */
  readonly corner: () => Promise<Corner>;
  /** As it, at that place: x and y are counted from the right and the bottom where they are negative. */
  readonly square: (x: number, y: number, side: number) => Promise<Corner>;
  /** File with the server's own picture, in the format of `xwd`. */
  readonly file: string;
  readonly end: () => Promise<void>;
}

/** Pixels of the corner that is read. */
const SIDE = 100;

/** A square of a picture as `xwd` writes it: 32 bits per pixel, blue first. */
function squareIn(xwd: Buffer, left: number, top: number, side: number): Corner {
  const [head, perLine, colours] = [xwd.readUInt32BE(0), xwd.readUInt32BE(48), xwd.readUInt32BE(76)];
  const [width, height] = [xwd.readUInt32BE(16), xwd.readUInt32BE(20)];
  const [fromX, fromY] = [left < 0 ? width + left : left, top < 0 ? height + top : top];
  const first = head + colours * 12 + fromY * perLine + fromX * 4;
  const rgb = new Uint8Array(side * side * 3);
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1)
      for (const part of [0, 1, 2]) rgb[(y * side + x) * 3 + part] = xwd[first + y * perLine + x * 4 + 2 - part] ?? 0;
  return { width: side, height: side, rgb };
}

/** Starts a server of that many pixels on a free display. */
export async function startXScreen(pixels = '800x480'): Promise<XScreen> {
  const folder = await mkdtemp(join(tmpdir(), 'sconce-x-'));
  const size = ['-screen', '0', `${pixels}x24`, '-fbdir', folder];
  const server: ChildProcess = spawn('Xvfb', ['-displayfd', '1', ...size, '-nolisten', 'tcp', '-noreset'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  if (server.stdout === null) throw new Error('no output of Xvfb');
  // A piped stdout gives buffers.
  const [number] = (await once(server.stdout, 'data')) as [Buffer];
  const display = `:${number.toString().trim()}`;
  const file = join(folder, 'Xvfb_screen0');
  const square: XScreen['square'] = async (x, y, side) => squareIn(await readFile(file), x, y, side);
  return {
    env: { ...process.env, WAYLAND_DISPLAY: undefined, DISPLAY: display },
    display,
    file,
    square,
    corner: () => square(0, 0, SIDE),
    end: async () => {
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
