import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPanel, parseDevices } from '#drivers/adb/bridge.ts';
import { until } from '../../scenarios/live-agent.ts';

const missing = ['adb', 'setpriv'].find((tool) => {
  try {
    execFileSync(tool, ['--version'], { stdio: 'ignore' });
    return false;
  } catch {
    return true;
  }
});

const folder = mkdtempSync(join(tmpdir(), 'sconce-adb-orphan-'));
const program = join(folder, 'program.mjs');
beforeAll(() => {
  buildSync({
    stdin: {
      contents: `import { AdbServer } from '#drivers/adb/server.ts';
const server = new AdbServer(${JSON.stringify(join(folder, 'bridge'))});
server.start(() => {});
if (await server.listens(new AbortController().signal, 20_000)) console.log('listens');
setInterval(() => {}, 1000);`,
      resolveDir: fileURLToPath(new URL('../../..', import.meta.url)),
      loader: 'ts',
    },
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isRunning = (pid: number): boolean =>
  existsSync(`/proc/${pid}/stat`) && !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

describe.skipIf(missing !== undefined)(
  `the server of the bridge${missing === undefined ? '' : ` (skipped: ${missing} is not installed)`}`,
  () => {
    it('ends with an agent that is killed, so that the next one gets the USB device', async () => {
      const agent = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'ignore'] });
      try {
        await new Promise<void>((resolve) => {
          agent.stdout.once('data', () => resolve());
        });
        const children = readFileSync(`/proc/${agent.pid}/task/${agent.pid}/children`, 'utf8')
          .trim()
          .split(' ')
          .map(Number);
        const server = children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('nodaemon'));
        expect(server !== undefined && isRunning(server)).toBe(true);
        agent.kill('SIGKILL');
        await until('the end of the server', () => server !== undefined && !isRunning(server));
      } finally {
        agent.kill('SIGKILL');
      }
    }, 40_000);
  },
);

describe('the list of devices', () => {
  it.each([
    ['0123456789\tdevice\n', 'online'],
    ['0123456789\tunauthorized\n', 'unauthorized'],
    [
      '0123456789\tno permissions (user in plugdev group; are your udev rules wrong?); see [http://developer.android.com/tools/device.html]\n',
      'denied',
    ],
    ['0123456789\toffline\n', 'waiting'],
    ['', 'waiting'],
    ['one\tdevice\ntwo\tdevice\n', 'ambiguous'],
  ])('%j is %s', (text, phase) => {
    expect(findPanel(parseDevices(text), { kind: 'only' }).phase).toBe(phase);
  });
});
