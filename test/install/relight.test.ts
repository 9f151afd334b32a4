import { execFile, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterEach, describe, expect, it } from 'vitest';

import { backlightTree } from '../drivers/screen/backlight-tree.ts';
import { until } from '../scenarios/live-agent.ts';

const script = fileURLToPath(new URL('../../bin/install/relight', import.meta.url));
const ends: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function bench() {
  const tree = await backlightTree();
  const folder = mkdtempSync(join(tmpdir(), 'sconce-relight-'));
  for (const name of ['bin', 'run', 'x11']) mkdirSync(join(folder, name));
  ends.push(tree.end, () => rmSync(folder, { recursive: true, force: true, maxRetries: 40, retryDelay: 50 }));
  const env = {
    PATH: `${join(folder, 'bin')}:/usr/bin:/bin`,
    SCONCE_BACKLIGHTS: tree.root,
    XDG_RUNTIME_DIR: join(folder, 'run'),
    SCONCE_X11_SOCKETS: join(folder, 'x11'),
  };
  const tool = (name: string, body: string): void => {
    writeFileSync(
      join(folder, 'bin', name),
      `#!/bin/sh\necho "${name} $* [\${WAYLAND_DISPLAY-}\${DISPLAY-}]" >>${join(folder, 'calls')}\n${body}\n`,
    );
    chmodSync(join(folder, 'bin', name), 0o755);
  };
  // Whatever this machine has of these must not be called by a test.
  for (const name of ['wlopm', 'kscreen-doctor', 'xset', 'xrandr', 'ddcutil']) tool(name, '');
  const listen = (path: string): Promise<void> =>
    new Promise((resolve) => {
      const server: Server = createServer().listen(join(folder, path), resolve);
      ends.push(() => void server.close());
    });
  const calls = (): readonly string[] =>
    existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n').toSorted() : [];
  return { folder, tree, env, tool, listen, calls, run: () => promisify(execFile)('/bin/sh', [script], { env }) };
}

describe('relight', () => {
  it.each<[string, Record<string, number>, Record<string, number>]>([
    ['switched off', { max_brightness: 200, brightness: 120, bl_power: 4 }, { brightness: 120, bl_power: 0 }],
    ['at level 0', { max_brightness: 255, brightness: 0, bl_power: 0 }, { brightness: 128, bl_power: 0 }],
    ['both', { max_brightness: 255, brightness: 0, bl_power: 1 }, { brightness: 128, bl_power: 0 }],
    [
      'on its lowest level, which is off where there is no switch',
      { max_brightness: 10, brightness: 1 },
      { brightness: 5 },
    ],
    ['with a range of one', { max_brightness: 1, brightness: 0, bl_power: 0 }, { brightness: 1, bl_power: 0 }],
    ['lit, and stays as it is', { max_brightness: 200, brightness: 1, bl_power: 0 }, { brightness: 1, bl_power: 0 }],
    ['lit with a range of one and no switch', { max_brightness: 1, brightness: 1 }, { brightness: 1 }],
  ])('lights a backlight that is %s', async (_, before, after) => {
    const { tree, env, run } = await bench();
    await tree.add('panel', before);
    await run();
    for (const [file, value] of Object.entries(after))
      expect(await tree.read('panel', file), `${file} under ${env.SCONCE_BACKLIGHTS}`).toBe(value);
  });

  it('tries every display server whose socket is there, and monitors that ddcutil lists', async () => {
    const { tool, listen, calls, run } = await bench();
    tool('xset', '[ "$1" = q ] && echo "  Monitor is Off"; exit 0');
    tool('ddcutil', '[ "$1" = detect ] && printf "Display 1\\n   I2C bus:  /dev/i2c-4\\nDisplay 2\\n"; exit 0');
    await listen('run/wayland-1');
    await listen('x11/X7');
    await run();
    expect(calls()).toEqual([
      'ddcutil --display 1 --noverify setvcp d6 1 []',
      'ddcutil --display 2 --noverify setvcp d6 1 []',
      'ddcutil detect --brief []',
      'kscreen-doctor --dpms on [wayland-1]',
      'wlopm --on * [wayland-1]',
      'xrandr --verbose [:7]',
      'xset dpms force on [:7]',
      'xset q [:7]',
    ]);
  });

  it.skipIf(process.getuid?.() !== 0)('asks no server of another user', async () => {
    const { folder, listen, calls, run } = await bench();
    for (const socket of ['run/wayland-0', 'x11/X0']) {
      await listen(socket);
      chownSync(join(folder, socket), 65_534, 65_534);
    }
    await run();
    expect(calls()).toEqual(['ddcutil detect --brief []']);
  });

  it('leaves an X server alone whose monitor is on', async () => {
    const { tool, listen, calls, run } = await bench();
    tool('xset', 'echo "  Monitor is On"');
    await listen('x11/X0');
    await run();
    expect(calls()).toEqual(['ddcutil detect --brief []', 'xrandr --verbose [:0]', 'xset q [:0]']);
  });

  it('gives a picture its light back that was darkened for want of a switch, and leaves one that is only dim', async () => {
    const { tool, listen, calls, run } = await bench();
    const output = (name: string, level: string) =>
      `${name} connected primary 800x480+0+0 (0x5e) normal\\n\\tGamma:      1.0:1.0:1.0\\n\\tBrightness: ${level}\\n\\tClones:\\n`;
    tool(
      'xrandr',
      `[ "$1" = --verbose ] && printf '${output('HDMI-1', '0.05')}` +
        `DP-1 disconnected (normal)\\n${output('DP-2', '0.06')}'`,
    );
    await listen('x11/X0');
    await run();
    expect(calls().filter((call) => call.startsWith('xrandr'))).toEqual([
      'xrandr --output HDMI-1 --brightness 1 [:0]',
      'xrandr --verbose [:0]',
    ]);
  });

  it('is over in time when a tool hangs, and has lit the backlight before', async () => {
    const { tree, tool, listen, run } = await bench();
    await tree.add('panel', { max_brightness: 200, brightness: 120, bl_power: 4 });
    tool('wlopm', 'trap "" TERM; sleep 60');
    await listen('run/wayland-0');
    const began = performance.now();
    const over = run();
    await until('the light', async () => (await tree.read('panel', 'bl_power')) === 0, 2000);
    await over;
    expect(performance.now() - began).toBeLessThan(10_000);
  }, 20_000);
});

describe('the watcher beside an agent without a service manager', () => {
  it.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)('lights the screen after %s', async (signal) => {
    const { tree, env, calls } = await bench();
    await tree.add('panel', { max_brightness: 200, brightness: 120, bl_power: 4 });
    const bundle = join(env.XDG_RUNTIME_DIR, 'agent.mjs');
    await build({
      stdin: {
        contents: `import { createActor } from 'xstate'; import { relightSpec } from '#actors/relight.ts'; import { relightWatcher } from '#drivers/relight/watcher.ts';
createActor(relightSpec({ driver: relightWatcher({ script: ${JSON.stringify(script)} }) }).logic).start(); setInterval(() => {}, 1e6); console.log('up');`,
        resolveDir: fileURLToPath(new URL('../..', import.meta.url)),
        loader: 'ts',
      },
      outfile: bundle,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'silent',
    });
    const child = spawn(process.execPath, [bundle], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    expect(await tree.read('panel', 'bl_power')).toBe(4);
    child.kill(signal);
    await until('the light', async () => (await tree.read('panel', 'bl_power')) === 0);
    expect(await tree.read('panel', 'brightness')).toBe(120);
    // It works on without its parent; nothing of it may be left when the test is over.
    await until('its last try', () => calls().some((call) => call.startsWith('ddcutil')));
  });
});

describe('the unit', () => {
  it('lights the screen however the agent ended', () => {
    const unit = readFileSync(fileURLToPath(new URL('../../bin/install/sconce.service', import.meta.url)), 'utf8');
    expect(unit).toMatch(/^ExecStopPost=-@PROGRAM@\/dist\/relight$/m);
  });
});
