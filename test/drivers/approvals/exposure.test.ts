import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { exposureDriver, viewExposure } from '#drivers/approvals/exposure.ts';
import type { ExposureCommand, ExposureFact, ExposureView } from '#machines/approvals/events.ts';
import { exposedBy } from '#machines/approvals/exposed-by.ts';
import { isFact, runDriver } from '../run-driver.ts';

const folder = mkdtempSync(join(tmpdir(), 'sconce-exposure-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue\n';

let root: string;
let made = 0;
function put(path: string, text = ''): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
function link(path: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  symlinkSync('/lib/systemd/system/x.service', join(root, path));
}
/** A machine on which nothing is exposed. */
beforeEach(() => {
  made += 1;
  root = join(folder, String(made));
  put('proc/net/tcp', HEAD);
  put('proc/net/tcp6', HEAD);
  put('proc/net/if_inet6');
  put('proc/1/comm', 'systemd\n');
  put('proc/42/comm', 'adb\n');
  put('proc/cpuinfo');
  link('etc/systemd/system/multi-user.target.wants/ssh.service');
});

const safe: ExposureView = { tcp: HEAD, tcp6: HEAD, adbdRuns: false, adbdEnabled: false };

describe('a look at the machine', () => {
  it.each<[string, () => void, Partial<ExposureView>]>([
    ['reads its lists and finds nothing', () => {}, {}],
    ['finds a running adbd', () => put('proc/7/comm', 'adbd\n'), { adbdRuns: true }],
    ['goes on where a process has ended meanwhile', () => mkdirSync(join(root, 'proc/9')), {}],
    ['cannot tell where processes of others are hidden', () => rmSync(join(root, 'proc/1/comm')), { adbdRuns: null }],
    [
      'cannot tell where a name cannot be read',
      () => mkdirSync(join(root, 'proc/8/comm'), { recursive: true }),
      { adbdRuns: null },
    ],
    [
      'finds an enabled adbd',
      () => link('etc/systemd/system/multi-user.target.wants/adbd.service'),
      { adbdEnabled: true },
    ],
    [
      'finds one that another unit requires',
      () => link('etc/systemd/system/usb-gadget.target.requires/android-tools-adbd.service'),
      { adbdEnabled: true },
    ],
    [
      'finds one that is enabled until the next boot',
      () => link('run/systemd/system/a.target.wants/adbd.service'),
      { adbdEnabled: true },
    ],
    ['passes a unit that nothing wants', () => put('etc/systemd/system/adbd.service'), {}],
    ['passes a machine without systemd', () => rmSync(join(root, 'etc'), { recursive: true }), {}],
    ['cannot tell where units are no folder', () => put('etc/systemd/system/x.wants'), { adbdEnabled: null }],
    ['cannot tell without the list', () => rmSync(join(root, 'proc/net/tcp')), { tcp: null }],
    ['cannot tell where the list of IPv6 is missing', () => rmSync(join(root, 'proc/net/tcp6')), { tcp6: null }],
    [
      'needs no list of IPv6 where the kernel has no IPv6',
      () => {
        rmSync(join(root, 'proc/net/tcp6'));
        rmSync(join(root, 'proc/net/if_inet6'));
      },
      { tcp6: '' },
    ],
    ['reads no list without an end', () => put('proc/net/tcp', 'x'.repeat(4 * 1024 * 1024 + 1)), { tcp: null }],
  ])('%s', async (_, make, view) => {
    make();
    expect(await viewExposure(root)).toEqual({ ...safe, ...view });
  });

  it('cannot tell without a process list', async () => {
    rmSync(join(root, 'proc'), { recursive: true });
    expect(await viewExposure(root)).toEqual({ tcp: null, tcp6: '', adbdRuns: null, adbdEnabled: false });
  });
});

describe('the driver', () => {
  it('answers each look with one fact, in order', async () => {
    let clock = 0;
    const seen: ExposureView[] = [];
    const driver = runDriver<ExposureCommand, ExposureFact>(
      exposureDriver({
        judge: (view) => {
          seen.push(view);
          return exposedBy(view);
        },
        now: () => (clock += 1),
        root,
      }),
    );
    onTestFinished(driver.stop);
    driver.tell({ type: 'exposure.look' });
    driver.tell({ type: 'exposure.look' });
    await driver.until(isFact('exposure.seen', ({ at }) => at === 2));
    put('proc/7/comm', 'adbd\n');
    driver.tell({ type: 'exposure.look' });
    await driver.until(isFact('exposure.seen', ({ at }) => at === 3));
    expect(driver.facts).toEqual([
      { type: 'exposure.seen', findings: [], at: 1 },
      { type: 'exposure.seen', findings: [], at: 2 },
      { type: 'exposure.seen', findings: [{ code: 'adbd-running', port: null }], at: 3 },
    ]);
    expect(seen).toHaveLength(3);
  });

  it('reads the lists of this machine', async () => {
    const view = await viewExposure();
    expect(exposedBy(view).filter(({ code }) => code === 'unreadable')).toEqual([]);
  });
});

const own = [process.getuid?.() === 0 ? '-n' : '-rn', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'] as const;
const hasOwnNetwork = spawnSync('unshare', [...own, 'true']).status === 0;

describe.skipIf(!hasOwnNetwork)(
  `in a network of its own${hasOwnNetwork ? '' : ' (skipped: unshare may make none)'}`,
  () => {
    const script = join(folder, 'look.mjs');
    beforeAll(async () => {
      await build({
        stdin: {
          contents: `import { createServer } from 'node:net';
import { viewExposure } from './drivers/approvals/exposure.ts';
import { exposedBy } from './machines/approvals/exposed-by.ts';
for (const address of process.argv.slice(2)) {
  const [host, port] = address.split('#');
  await new Promise((resolve, reject) => createServer().once('error', reject).listen(Number(port), host, resolve));
}
console.log(JSON.stringify(exposedBy(await viewExposure())));
process.exit();`,
          resolveDir: fileURLToPath(new URL('../../..', import.meta.url)),
          loader: 'ts',
        },
        outfile: script,
        bundle: true,
        platform: 'node',
        format: 'esm',
        logLevel: 'silent',
      });
    });

    it.each<[string, readonly string[], readonly object[]]>([
      ['nothing listens', [], []],
      ['adb listens on all addresses', ['0.0.0.0#5555'], [{ code: 'adb-listener', port: 5555 }]],
      ['developer tools listen on loopback', ['127.0.0.1#9222'], [{ code: 'devtools-listener', port: 9222 }]],
      ['VNC listens on IPv6 and IPv4 at once', ['::#5901'], [{ code: 'vnc', port: 5901 }]],
      ['VNC, RDP and X11 listen on loopback', ['127.0.0.1#5900', '::1#3389', '127.8.8.8#6000'], []],
    ])('%s', async (_, addresses, findings) => {
      const { stdout } = await promisify(execFile)('unshare', [...own, process.execPath, script, ...addresses]);
      expect(JSON.parse(stdout)).toEqual(findings);
    });
  },
);
