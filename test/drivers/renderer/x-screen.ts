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
  readonly end: () => Promise<void>;
}

/** Pixels of the corner that is read. */
const SIDE = 100;

/** The corner of a picture as `xwd` writes it: 32 bits per pixel, blue first. */
function cornerIn(xwd: Buffer): Corner {
  const [head, perLine, colours] = [xwd.readUInt32BE(0), xwd.readUInt32BE(48), xwd.readUInt32BE(76)];
  const first = head + colours * 12;
  const rgb = new Uint8Array(SIDE * SIDE * 3);
  for (let y = 0; y < SIDE; y += 1)
    for (let x = 0; x < SIDE; x += 1)
      for (const part of [0, 1, 2]) rgb[(y * SIDE + x) * 3 + part] = xwd[first + y * perLine + x * 4 + 2 - part] ?? 0;
  return { width: SIDE, height: SIDE, rgb };
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
  return {
    env: { ...process.env, WAYLAND_DISPLAY: undefined, DISPLAY: display },
    display,
    corner: async () => cornerIn(await readFile(join(folder, 'Xvfb_screen0'))),
    end: async () => {
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
