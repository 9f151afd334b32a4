import assert from 'node:assert/strict';

import { linuxInput } from '#drivers/input/linux.ts';
import { WAKE_BOUND_MS } from '#machines/input/decide.ts';
import type { InputDriverCommand, InputFact } from '#machines/input/events.ts';
import type { StatusDocument } from '#machines/status.ts';

import { isFact, runDriver } from '../drivers/run-driver.ts';
import { amount } from '../fakes/amount.ts';
import { keypad, plugIn, touchScreen } from './devices/uhid.ts';
import { type GuestCase, turn, until } from './guest-case.ts';
import { goDark, power, startPlain, status, untilStatus } from './agent-process.ts';
import { PADS, type SharedPanel } from './panel/panel.ts';

function spread(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? -1;
  return `ms p50 ${middle.toFixed(1)} max ${(sorted.at(-1) ?? -1).toFixed(1)} n=${sorted.length}`;
}

const touched = isFact<InputFact, 'input.touched'>('input.touched');
const withTouch = isFact<InputFact, 'input.devices'>('input.devices', ({ counts }) => counts.touch === 1);
/** Longest wait for one fact; it says nothing of the driver. */
const FACT_MS = 60_000;

async function hear(more: Parameters<typeof linuxInput>[0]): Promise<string> {
  const panel = plugIn({ name: 'Touch panel', descriptor: touchScreen });
  const driver = runDriver<InputDriverCommand, InputFact>(linuxInput({ scanMs: 100, ...more }));
  try {
    await driver.until(withTouch, 0, FACT_MS);
    const times: number[] = [];
    for (let count = 0; count < amount(5, 20); count += 1) {
      // Longer than the pause that the driver keeps between two facts.
      await turn(60);
      const from = driver.facts.length;
      const began = performance.now();
      panel.report(1, 10 + count, 0, 20, 0);
      await driver.until(touched, from, FACT_MS);
      times.push(performance.now() - began);
      panel.report(0, 10 + count, 0, 20, 0);
    }
    assert.equal(driver.crashed(), undefined);
    panel.unplug();
    await driver.until(
      isFact<InputFact, 'input.devices'>('input.devices', ({ counts }) => counts.touch === 0),
      driver.facts.findIndex(withTouch),
      FACT_MS,
    );
    return spread(times);
  } finally {
    driver.stop();
    panel.unplug();
  }
}

async function wake(shared: SharedPanel): Promise<string> {
  await shared.useLit();
  const before = (await status()).input?.devices;
  const panel = plugIn({ name: 'Touch panel', descriptor: touchScreen });
  const keys = plugIn({ name: 'Keypad', descriptor: keypad });
  try {
    await untilStatus(
      'both',
      ({ input }) => input?.devices.touch === PADS + 1 && input.devices.key > (before?.key ?? 0),
    );
    const times: number[] = [];
    for (let count = 0; count < amount(2, 10); count += 1) {
      await goDark();
      const wakes = (await status()).input?.wakes ?? 0;
      const began = Date.now();
      if (count % 2 === 0) panel.report(1, 100 + count, 0, 50, 0);
      else keys.report(4 + count);
      await until('light', async () => (await power()) === 0);
      panel.report(0, 0, 0, 0, 0);
      keys.report(0);
      const byTouch = ({ screen }: StatusDocument): boolean =>
        screen?.changed?.by === 'touch' && screen.changed.at >= began;
      await untilStatus('the light of the touch', byTouch);
      const { input, screen } = await status();
      const took = (screen?.changed?.at ?? 0) - (input?.last?.at ?? 0);
      // On a very busy machine an emulated processor may be slower than what counts as one wake.
      assert.equal(input?.wakes, took > WAKE_BOUND_MS ? wakes : wakes + 1, `after ${took} ms`);
      times.push(took > WAKE_BOUND_MS ? took : (input?.last_wake_ms ?? -1));
    }
    assert.ok(
      times.every((ms) => ms >= 0),
      String(times),
    );
    return `${spread(times)} (${times.join(' ')})`;
  } finally {
    panel.unplug();
    keys.unplug();
  }
}

async function stopInTheDark(bundle: string): Promise<string> {
  const agent = await startPlain(bundle);
  await goDark();
  const began = performance.now();
  agent.child.kill('SIGTERM');
  // Emulated, an orderly stop takes longer than the five seconds after which it is cut, so its exit status says nothing
  // here.
  await agent.ended;
  await until('light', async () => (await power()) === 0);
  return `ms ${(performance.now() - began).toFixed(0)}`;
}

/** How a touch is heard, without an agent. */
export const hearCases: readonly GuestCase[] = [
  { title: 'a touch is heard through the kernel’s signal', run: () => hear({}) },
  {
    title: 'a touch is heard in turns where nothing can be signalled',
    run: () => hear({ native: Promise.resolve(null) }),
  },
];

/** What a touch does to a real backlight. */
export const wakeCase = (shared: SharedPanel): GuestCase => ({
  title: 'a touch or a key lights the dark screen, from the event to the write',
  run: () => wake(shared),
});

/** What an orderly end does to a real backlight; the shared agent's end shows what a kill does. */
export const stopCase = (bundle: string): GuestCase => ({
  title: 'the screen is lit when the agent stops',
  run: () => stopInTheDark(bundle),
  onlyInAll: true,
});
