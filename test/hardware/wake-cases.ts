import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';

import { linuxInput } from '#drivers/input/linux.ts';
import type { InputDriverCommand, InputFact } from '#machines/input/events.ts';
import type { StatusDocument } from '#machines/status.ts';

import { isFact, runDriver } from '../drivers/run-driver.ts';
import { keypad, plugIn, touchScreen } from './devices/uhid.ts';
import { type GuestCase, turn, until } from './guest-case.ts';

const folder = '/sys/class/backlight/acpi_video0';
const port = 8888;
const url = `http://127.0.0.1:${port}`;
/** What the backlight says of its power: 0 is on, 4 is off. */
export const power = async (): Promise<number> => Number(await readFile(`${folder}/bl_power`, 'utf8'));

const spread = (times: readonly number[]): string => {
  const sorted = times.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? -1;
  return `ms p50 ${middle.toFixed(1)} max ${(sorted.at(-1) ?? -1).toFixed(1)} n=${sorted.length}`;
};

const touched = isFact<InputFact, 'input.touched'>('input.touched');
const withTouch = isFact<InputFact, 'input.devices'>('input.devices', ({ counts }) => counts.touch === 1);

const hear = async (more: Parameters<typeof linuxInput>[0]): Promise<string> => {
  const panel = plugIn({ name: 'Touch panel', descriptor: touchScreen });
  const driver = runDriver<InputDriverCommand, InputFact>(linuxInput({ scanMs: 100, ...more }));
  try {
    await driver.until(withTouch, 0, 30_000);
    const times: number[] = [];
    for (let count = 0; count < 20; count += 1) {
      // Longer than the pause that the driver keeps between two facts.
      await turn(60);
      const from = driver.facts.length;
      const began = performance.now();
      panel.report(1, 10 + count, 0, 20, 0);
      await driver.until(touched, from, 10_000);
      times.push(performance.now() - began);
      panel.report(0, 10 + count, 0, 20, 0);
    }
    assert.equal(driver.crashed(), undefined);
    panel.unplug();
    await driver.until(
      isFact<InputFact, 'input.devices'>('input.devices', ({ counts }) => counts.touch === 0),
      driver.facts.findIndex(withTouch),
      10_000,
    );
    return spread(times);
  } finally {
    driver.stop();
  }
};

interface Agent {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
}

/** The status document of the agent. */
export const status = async (): Promise<StatusDocument> => {
  // The route's own schema is checked in the route tests.
  return (await (await fetch(`${url}/api/v1/status`)).json()) as StatusDocument;
};
/** Asks the agent for one action. */
export const act = (a: string): Promise<Response> =>
  fetch(`${url}/api/v1/action`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ a }),
  });

/** Starts what users start, and waits for its screen and its touch screen. */
export const startAgent = async (bundle: string): Promise<Agent> => {
  const child = spawn(
    process.execPath,
    [
      bundle,
      'run',
      '--profile',
      'linux',
      '--renderer',
      'none',
      '--no-discovery',
      '--data',
      '/tmp/panel',
      '--port',
      String(port),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, SCONCE_VERIFY_ANSWERS: '1' } },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-800)));
  const ended = new Promise<number | null>((resolve) => {
    child.on('exit', resolve);
  });
  let seen = 'no answer';
  try {
    await until('the agent with its screen and its touch panel', async () => {
      const { screen, input } = await status();
      seen = JSON.stringify({ screen, input });
      return screen?.lit === true && (input?.devices.touch ?? 0) >= 1;
    });
  } catch {
    child.kill('SIGKILL');
    throw new Error(`the agent is not ready: ${seen}; it said: ${said}`);
  }
  return { child, ended };
};
/** Switches the screen off and waits until it is dark. */
export const goDark = async (): Promise<void> => {
  await act('screen_off');
  await until('dark', async () => (await power()) === 4 && (await status()).screen?.lit === false);
};

const wake = async (bundle: string): Promise<string> => {
  const panel = plugIn({ name: 'Touch panel', descriptor: touchScreen });
  const keys = plugIn({ name: 'Keypad', descriptor: keypad });
  const agent = await startAgent(bundle);
  try {
    const times: number[] = [];
    for (let count = 0; count < 10; count += 1) {
      await goDark();
      await turn(500);
      const before = (await status()).input?.wakes ?? 0;
      if (count % 2 === 0) panel.report(1, 100 + count, 0, 50, 0);
      else keys.report(4 + count);
      await until('light', async () => (await power()) === 0);
      panel.report(0, 0, 0, 0, 0);
      keys.report(0);
      await until('the measurement', async () => (await status()).input?.wakes === before + 1, 20_000).catch(
        async (error: unknown) => {
          const { input, screen } = await status();
          throw new Error(`${String(error)} of turn ${count}: ${JSON.stringify({ input, screen })}`);
        },
      );
      times.push((await status()).input?.last_wake_ms ?? -1);
    }
    assert.ok(
      times.every((ms) => ms >= 0),
      String(times),
    );
    return `${spread(times)} (${times.join(' ')})`;
  } finally {
    agent.child.kill('SIGTERM');
    await agent.ended;
    panel.unplug();
    keys.unplug();
  }
};

const endInTheDark = (bundle: string, signal: NodeJS.Signals) => async (): Promise<string> => {
  const panel = plugIn({ name: 'Touch panel', descriptor: touchScreen });
  const agent = await startAgent(bundle);
  try {
    await goDark();
    const began = performance.now();
    agent.child.kill(signal);
    await until('light', async () => (await power()) === 0);
    const took = performance.now() - began;
    // Emulated, an orderly stop takes longer than the five seconds after which it is cut, so its exit status says
    // nothing here.
    await agent.ended;
    assert.equal(await power(), 0);
    return `ms ${took.toFixed(0)}`;
  } finally {
    agent.child.kill('SIGKILL');
    panel.unplug();
    await writeFile(`${folder}/bl_power`, '0');
  }
};

/** What a touch and the agent's end do to a real backlight; `bundle` is what users start. */
export const wakeCases = (bundle: string): readonly GuestCase[] => [
  { title: 'a touch is heard through the kernel’s signal', run: () => hear({}) },
  {
    title: 'a touch is heard in turns where nothing can be signalled',
    run: () => hear({ native: Promise.resolve(null) }),
  },
  { title: 'a touch or a key lights the dark screen, from the event to the write', run: () => wake(bundle) },
  { title: 'the screen is lit after kill -9 of the agent', run: endInTheDark(bundle, 'SIGKILL') },
  { title: 'the screen is lit when the agent stops', run: endInTheDark(bundle, 'SIGTERM') },
];
