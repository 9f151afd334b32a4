import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { SimulatedDevice } from '#drivers/simulator/device.ts';
import type { CaptureFact } from '#machines/camera-session/events.ts';
import type { SimulatedCamera } from '#machines/simulator/events.ts';

import { amount } from '#test/fakes/amount.ts';
import { greyOf, isRunning, madeUp, startCapture, startStills } from './capturing.ts';

let device = new SimulatedDevice();
beforeEach(() => {
  device = new SimulatedDevice();
});

const film = () => startCapture({ device: { kind: 'simulated', device } });

const isRated = (fact: CaptureFact): fact is Extract<CaptureFact, { type: 'capture.measured' }> =>
  fact.type === 'capture.measured' && fact.fps !== null;

describe('the simulated camera', () => {
  it.each<[Partial<SimulatedCamera>, string, string]>([
    [{ plugged: false }, 'disconnected', 'no-node'],
    [{ permitted: false }, 'permission', 'no-permission'],
    [{ occupied: true }, 'open', 'busy'],
  ])('with %o cannot be opened', async (state, fault, detail) => {
    device.setCamera(state);
    const running = film();
    expect(await running.failed()).toMatchObject({ fault, detail });
    await running.closed();
    running.stop();
  });
});

describe.skipIf(!existsSync('/usr/bin/ffmpeg'))('the film of the simulated camera', () => {
  it('has the pictures of a webcam', async () => {
    const running = film();
    expect(await running.opened()).toMatchObject({ encoding: { width: 640, height: 480, fps: 15 } });
    const { fps } = await running.until(isRated);
    expect(fps).toBeGreaterThan(8);
    expect(fps).toBeLessThan(17);
    running.stop();
    await running.settled();
  });

  it('breaks when it is pulled out', async () => {
    const running = film();
    await running.opened();
    device.setCamera({ plugged: false });
    expect(await running.failed()).toMatchObject({ fault: 'disconnected', detail: 'unplugged' });
    await running.closed();
    expect(running.kinds()).toEqual(['capture.opened', 'capture.failed', 'capture.closed']);
    running.stop();
  });

  it('stands still while it jams, and goes on', async () => {
    const running = film();
    await running.opened();
    device.setCamera({ jammed: true });
    // What ffmpeg already has may still come.
    const { at } = await running.until(
      (fact): fact is Extract<typeof fact, { type: 'capture.measured' }> =>
        fact.type === 'capture.measured' && fact.at - (fact.lastAt ?? fact.at) > 500,
    );
    const { length } = running.units;
    device.setCamera({ jammed: false });
    await vi.waitFor(() => expect(running.units.length).toBeGreaterThan(length), { timeout: 10_000 });
    expect(running.facts.some((fact) => fact.type === 'capture.failed')).toBe(false);
    expect(at).toBeGreaterThan(0);
    device.setCamera({ jammed: true });
    running.close();
    await running.closed();
    running.stop();
  });

  it('is black while the lens is covered', async () => {
    const running = film();
    await running.opened();
    const stills = startStills(running.hub);
    const bright = await stills.take(null);
    device.setCamera({ blind: true });
    await vi.waitFor(
      async () => {
        const dark = await stills.take(null);
        expect(dark === null ? 255 : await greyOf(dark)).toBeLessThan(25);
      },
      { timeout: 20_000, interval: 500 },
    );
    expect(bright === null ? 0 : await greyOf(bright)).toBeGreaterThan(80);
    stills.stop();
    running.stop();
    await running.settled();
  });

  it('is drawn only while it is filmed', async () => {
    const observed = vi.spyOn(device, 'observe');
    const running = film();
    expect(observed).not.toHaveBeenCalled();
    await running.opened();
    expect(observed).toHaveBeenCalledTimes(1);
    running.stop();
    await running.settled();
    // Nothing is called or drawn once it has ended.
    const { length } = running.facts;
    device.setCamera({ plugged: false });
    expect(running.facts).toHaveLength(length);
  });
});

describe.skipIf(!['/usr/bin/ffmpeg', '/usr/bin/setpriv'].every((path) => existsSync(path)))('a killed agent', () => {
  let made: Awaited<ReturnType<typeof madeUp>>;
  beforeEach(async () => {
    made = await madeUp();
  });
  afterEach(() => made.remove());

  // One that delivers nothing would notice nothing else.
  it.each(amount(['jams'], ['delivers', 'jams']))('leaves no ffmpeg behind, while the camera %s', async (state) => {
    await made.ffmpeg('exec /usr/bin/ffmpeg "$@"');
    const agent = `${made.root}/agent.mjs`;
    await build({
      stdin: {
        contents: `import { cameraCapture } from './drivers/camera/capture.ts';
import { createFrameHub } from './drivers/camera/hub.ts';
import { SimulatedDevice } from './drivers/simulator/device.ts';
import { runDriver } from './test/drivers/run-driver.ts';
const elapsed = () => performance.now();
const device = new SimulatedDevice();
const running = runDriver(
  cameraCapture({ device: { kind: 'simulated', device }, hub: createFrameHub(elapsed), elapsed }),
  { generation: 1, attempt: 1, request: { height: 480, fps: 15, kbps: 500 } },
);
await running.until(({ type }) => type === 'capture.opened');
device.setCamera({ jammed: process.argv[2] === 'jams' });
process.stdout.write('opened');
setInterval(() => {}, 60_000);`,
        resolveDir: fileURLToPath(new URL('../../..', import.meta.url)),
        loader: 'ts',
      },
      bundle: true,
      platform: 'node',
      format: 'esm',
      conditions: ['development'],
      outfile: agent,
      logLevel: 'error',
    });
    const child = spawn(process.execPath, [agent, state], { env: made.env, stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const pid = await made.pid();
    expect(await isRunning(pid)).toBe(true);
    child.kill('SIGKILL');
    // At once, and not only when it next writes.
    await vi.waitFor(async () => expect(await isRunning(pid)).toBe(false), { timeout: 10_000 });
  });
});
