import { setTimeout as pause } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { type Cleanup, fromDriver } from '#drivers/kit/from-driver.ts';
import { SimulatedDevice } from '#drivers/simulator/device.ts';
import type { SimulatorDriverCommand, SimulatorFact } from '#machines/simulator/events.ts';
import { simulatedProfile } from '#test/fakes/simulated-profile.ts';
import { startLive } from './live-agent.ts';

/** A profile in which one driver has that cleanup. */
const cleaningUp = (cleanup: Cleanup) => ({
  ...simulatedProfile(),
  simulator: {
    driver: fromDriver<SimulatorDriverCommand, undefined, SimulatorFact>(() => cleanup),
    device: new SimulatedDevice(),
  },
});

describe('cleanups on the way out', () => {
  it('are waited for: a browser takes its time to close', async () => {
    let closed = false;
    const live = await startLive({
      profile: cleaningUp(async () => {
        await pause(550);
        closed = true;
      }),
    });
    await live.close();
    expect(closed).toBe(true);
  });

  it('are reported to the log of their own agent where they fail, and to no other of the process', async () => {
    const failing = await startLive({ profile: cleaningUp(() => Promise.reject(new Error('boom'))) });
    const other = await startLive();
    const reported = (lines: readonly string[]): boolean =>
      lines.some((line) => line.includes('Cleaning up after a part failed'));
    await failing.close();
    expect([reported(failing.lines), reported(other.lines)]).toEqual([true, false]);
    await other.close();
    expect(reported(other.lines)).toBe(false);
  });
});
