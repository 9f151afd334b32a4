import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, lchown, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { browserEnv } from '#drivers/renderer/browser-process.ts';
import { findDisplays } from '#drivers/renderer/displays.ts';
import { findBrowser } from '#drivers/renderer/executable.ts';
import { launchFlags } from '#drivers/renderer/launch-flags.ts';
import { parentIn } from '#drivers/renderer/process-tree.ts';

let root: string;
let servers: Server[];
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sconce-displays-'));
  servers = [];
  for (const folder of ['user/1000', 'user/1001', 'x11']) await mkdir(join(root, folder), { recursive: true });
});
afterEach(async () => {
  for (const server of servers) server.close();
  await rm(root, { recursive: true, force: true });
});
async function listen(path: string): Promise<void> {
  const server = createServer().listen(join(root, path));
  servers.push(server);
  await once(server, 'listening');
}
const found = (env: Readonly<Record<string, string>>) =>
  findDisplays({ env, uid: process.getuid?.() ?? -1, runtimeRoot: join(root, 'user'), x11Folder: join(root, 'x11') });
const find = async (env: Readonly<Record<string, string>>) => (await found(env)).displays;

test('finds the sockets of running sessions that the environment does not name', async () => {
  await listen('user/1000/wayland-1');
  await listen('user/1001/wayland-0');
  await listen('x11/X3');
  await writeFile(join(root, 'user/1000/xauth_a1'), '');
  // Left behind by a compositor that died.
  await writeFile(join(root, 'user/1000/wayland-0'), '');
  await writeFile(join(root, 'user/1000/wayland-1.lock'), '');
  expect(await find({})).toEqual([
    { route: 'wayland', env: { XDG_RUNTIME_DIR: join(root, 'user/1000'), WAYLAND_DISPLAY: 'wayland-1' } },
    { route: 'wayland', env: { XDG_RUNTIME_DIR: join(root, 'user/1001'), WAYLAND_DISPLAY: 'wayland-0' } },
    { route: 'x11', env: { DISPLAY: ':3', XAUTHORITY: join(root, 'user/1000/xauth_a1') } },
  ]);
});

test('tries first what the environment names, and nothing twice', async () => {
  await listen('user/1000/wayland-0');
  await listen('x11/X0');
  await listen('x11/X1');
  const tried = await find({ DISPLAY: ':1.0', XAUTHORITY: '/a', XDG_RUNTIME_DIR: join(root, 'user/1000') });
  expect(tried.map(({ env }) => env['WAYLAND_DISPLAY'] ?? env['DISPLAY'])).toEqual([':1.0', 'wayland-0', ':0']);
  expect(tried[0]?.env['XAUTHORITY']).toBe('/a');
  expect((await find({ WAYLAND_DISPLAY: join(root, 'user/1000/wayland-0') }))[0]?.env).toEqual({
    XDG_RUNTIME_DIR: join(root, 'user/1000'),
    WAYLAND_DISPLAY: 'wayland-0',
  });
});

const other = 65_534;
const isRoot = process.getuid?.() === 0;

test.skipIf(!isRoot)('takes no display of another user, unless it is named', async () => {
  await listen('x11/X0');
  await listen('x11/X1');
  await listen('user/1001/wayland-0');
  await lchown(join(root, 'x11/X1'), other, other);
  await chown(join(root, 'user/1001/wayland-0'), other, other);
  expect(await found({})).toMatchObject({ displays: [{ env: { DISPLAY: ':0' } }], isOtherUsers: true });
  expect(await found({ DISPLAY: ':1' })).toMatchObject({
    displays: [{ env: { DISPLAY: ':1' } }, { env: { DISPLAY: ':0' } }],
    isOtherUsers: true,
  });
  // Who has the folder can put another socket in the place of any.
  await chown(join(root, 'x11'), other, other);
  expect(await found({})).toEqual({ displays: [], isOtherUsers: true });
});

test('follows no link to a display', async () => {
  await listen('user/1000/real');
  await symlink(join(root, 'user/1000/real'), join(root, 'x11/X0'));
  expect(await found({})).toEqual({ displays: [], isOtherUsers: false });
});

test.skipIf(!isRoot || !existsSync('/usr/bin/Xvfb'))('passes over a real X server of another user', async () => {
  const server = spawn('Xvfb', ['-displayfd', '3', '-nolisten', 'tcp', '-screen', '0', '64x64x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    uid: other,
    gid: other,
  });
  try {
    const display = `:${String(await once(server.stdio[3] ?? server, 'data')).trim()}`;
    const places = { uid: 0, runtimeRoot: join(root, 'user') };
    const { displays, isOtherUsers } = await findDisplays({ ...places, env: {} });
    expect([displays.map(({ env }) => env['DISPLAY']).includes(display), isOtherUsers]).toEqual([false, true]);
    const named = await findDisplays({ ...places, env: { DISPLAY: display } });
    expect(named.displays[0]).toMatchObject({ route: 'x11', env: { DISPLAY: display } });
  } finally {
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
});

test('leaves a display of another machine to the browser, and knows none where there is none', async () => {
  expect(await find({ DISPLAY: 'desk:0' })).toEqual([{ route: 'x11', env: { DISPLAY: 'desk:0' } }]);
  expect(await find({ DISPLAY: ':5', WAYLAND_DISPLAY: 'wayland-5' })).toEqual([]);
});

test('finds a browser on the PATH by the first name that is a program', async () => {
  await mkdir(join(root, 'bin'));
  await writeFile(join(root, 'bin/first'), '', { mode: 0o644 });
  await writeFile(join(root, 'bin/second'), '', { mode: 0o755 });
  expect(await findBrowser(['none', 'first', 'second'], { PATH: `relative:${join(root, 'bin')}` })).toBe(
    join(root, 'bin/second'),
  );
  expect(await findBrowser([join(root, 'bin/second')], {})).toBe(join(root, 'bin/second'));
  expect(await findBrowser(['none'], { PATH: join(root, 'bin') })).toBeNull();
});

test('keeps the sandbox for every user but root, and opens no port', () => {
  const flags = (uid: number, gpu: boolean): readonly string[] =>
    launchFlags({ route: 'wayland', profile: '/p', uid, gpu, extra: ['--extra'] });
  expect(flags(1000, true)).not.toContain('--no-sandbox');
  expect(flags(0, true)).toContain('--no-sandbox');
  expect(flags(1000, true)).not.toContain('--disable-gpu');
  expect(flags(1000, false)).toContain('--disable-gpu');
  expect(flags(1000, true)).toEqual(
    expect.arrayContaining(['--kiosk', '--remote-debugging-pipe', '--user-data-dir=/p', '--extra']),
  );
  expect(flags(0, false).join(' ')).not.toMatch(
    /remote-debugging-port|disable-web-security|ignore-certificate|use-fake-ui/,
  );
});

test('hands the browser the way to its display and nothing of the agent’s own', () => {
  const env = browserEnv(
    {
      HOME: '/home/p',
      LANG: 'C',
      SCONCE_TOKEN: 'x',
      NOTIFY_SOCKET: '/n',
      NODE_OPTIONS: '--y',
      DISPLAY: ':0',
      XDG_DATA_HOME: '/d',
    },
    { DISPLAY: ':3' },
  );
  expect(env).toEqual({ HOME: '/home/p', LANG: 'C', XDG_DATA_HOME: '/d', DISPLAY: ':3' });
});

test('reads a parent past a name with spaces and brackets', () => {
  expect(parentIn('17 (a) (b c) S 12 17 17 0')).toBe(12);
  expect(parentIn('nonsense')).toBeNull();
});
