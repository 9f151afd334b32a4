import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

import { systemScreen } from '#drivers/screen/system.ts';
import type { ScreenDriverCommand, ScreenFact } from '#machines/screen/events.ts';

import { isFact, runDriver } from '../run-driver.ts';
import { decisions } from './decisions.ts';

function has(tool: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${tool}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
const tools = has('xset') && has('xrandr');
const canXvfb = tools && has('Xvfb');
const canXorg =
  tools && has('Xorg') && existsSync('/usr/lib/xorg/modules/drivers/dummy_drv.so') && process.getuid?.() === 0;
if (!canXvfb) console.warn('SKIPPED a real X server: no Xvfb, xset or xrandr (apt-get install xvfb x11-xserver-utils)');

const DUMMY = `
Section "Device"
  Identifier "none"
  Driver "dummy"
EndSection
Section "Screen"
  Identifier "screen"
  Device "none"
EndSection
`;

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** Starts an X server on a number of its own choice; answers a socket folder that holds only that server. */
async function server(
  program: string,
  args: readonly string[],
): Promise<{ readonly x11: string; readonly env: Readonly<Record<string, string>> }> {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-x-'));
  writeFileSync(join(folder, 'dummy.conf'), DUMMY);
  mkdirSync(join(folder, 'x11'));
  // Without -noreset it resets whenever its last client leaves, and refuses clients that connect just then.
  const child: ChildProcess = spawn(program, [...args, '-noreset', '-displayfd', '3', '-nolisten', 'tcp', '-ac'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  ends.push(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const number = await new Promise<string>((resolve, reject) => {
    child.on('exit', () => reject(new Error(`${program} did not start`)));
    child.stdio[3]?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
  });
  // A second name of the socket itself: links are not followed.
  linkSync(`/tmp/.X11-unix/X${number}`, join(folder, 'x11', `X${number}`));
  return { x11: join(folder, 'x11'), env: { PATH: process.env['PATH'] ?? '', XDG_RUNTIME_DIR: folder } };
}
function screenOf({ x11, env }: Awaited<ReturnType<typeof server>>) {
  const driver = runDriver<ScreenDriverCommand, ScreenFact>(
    systemScreen({
      decisions,
      env: { ...env, PATH: env['PATH'] },
      x11,
      drm: '/nowhere',
      backlight: { root: '/nowhere' },
      changesMs: 60_000,
    }),
  );
  ends.unshift(() => driver.stop());
  return driver;
}

describe('a real X server', () => {
  it.skipIf(!canXvfb)(
    'that can neither switch nor dim is said to have nothing, by the real tools’ own words',
    async () => {
      const driver = screenOf(await server('Xvfb', ['-screen', '0', '640x480x24']));
      const { verdict } = await driver.until(isFact<ScreenFact, 'display.missing'>('display.missing'), 0, 25_000);
      expect(verdict.detail).toContain('the X server (xset): none found');
      expect(verdict.detail).toContain('the picture on an X server (xrandr): none found');
    },
    30_000,
  );

  it('dims its picture, reads it back, and off is its darkest', async ({ skip }) => {
    if (!canXorg) skip('needs root and xserver-xorg-video-dummy');
    const driver = screenOf(
      await server('Xorg', ['-config', 'dummy.conf', '-noreset', '-novtswitch', '-sharevts', '-logfile', '/dev/null']),
    );
    const { display } = await driver.until(isFact<ScreenFact, 'display.found'>('display.found'), 0, 25_000);
    expect(display).toMatchObject({
      rawMax: 100,
      rawMin: 5,
      power: false,
      routes: { brightness: 'dimming', power: null },
    });
    driver.tell({ type: 'display.write', generation: 1, raw: 30, powered: null });
    const written = await driver.until(isFact<ScreenFact, 'display.written'>('display.written'), 0, 15_000);
    expect(written.reading).toEqual({ raw: 30, powered: true });
  }, 50_000);
});
