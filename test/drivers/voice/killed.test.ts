import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { build } from 'esbuild';
import { describe, expect, it, vi } from 'vitest';

import { pulseInstalled } from '../volume/pulse-server.ts';
import { pulseRoom } from './pulse-room.ts';

const isSkipped =
  !(await pulseInstalled()) || !['/usr/bin/parec', '/usr/bin/setpriv'].every((path) => existsSync(path));

describe.skipIf(isSkipped)(`a killed agent${isSkipped ? ' (skipped: needs the package pulseaudio)' : ''}`, () => {
  it('leaves nothing that records or watches', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sconce-ear-'));
    const program = join(folder, 'agent.mjs');
    await build({
      stdin: {
        contents: `import { anyMicrophone } from './drivers/voice/device.ts';
import { startEar } from './test/drivers/voice/hearing.ts';
const ear = startEar({ device: anyMicrophone });
ear.open(1);
await ear.opened(1);
process.stdout.write('opened');
setInterval(() => {}, 60_000);`,
        resolveDir: join(import.meta.dirname, '../../..'),
        loader: 'ts',
      },
      bundle: true,
      platform: 'node',
      format: 'esm',
      conditions: ['development'],
      outfile: program,
      logLevel: 'error',
    });
    const room = await pulseRoom();
    const agent = spawn(process.execPath, [program], {
      env: { ...room.server.env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => agent.stdout.once('data', resolve));
    const [recorder] = await room.recorders();
    const clients = await room.server.pactl('list', 'short', 'clients');
    expect(recorder?.pid).toBeGreaterThan(0);
    agent.kill('SIGKILL');
    await vi.waitFor(() => expect(existsSync(`/proc/${recorder?.pid}`)).toBe(false), { timeout: 8000 });
    // parec and pactl subscribe are gone from the server, too.
    await vi.waitFor(
      async () => {
        const left = await room.server.pactl('list', 'short', 'clients');
        expect(clients.split('\n').length - left.split('\n').length).toBe(2);
      },
      { timeout: 8000 },
    );
    expect(await room.recordings()).toBe(0);
    await room.end();
    rmSync(folder, { recursive: true });
  });
});
