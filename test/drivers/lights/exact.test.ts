import { expect, it } from 'vitest';

import { type OpenLight, driveLight } from '#drivers/lights/open-light.ts';
import { working } from '#machines/kit/verdict.ts';
import type { LightDriverCommand, LightFact } from '#machines/lights/events.ts';

import { isFact, runDriver } from '../run-driver.ts';

/** An LED that takes every write and stays at one level. */
const stuck: OpenLight = {
  ability: { colour: 'level', effects: true },
  read: async () => ({ level: 12, rgb: null }),
  write: async () => {},
  close: async () => {},
};

it.each([
  ['reported as what was written, which its hardware rounded', {}, 255],
  ['reported as it is, where that is asked for', { exact: true } as const, 12],
])('a reading after a write is %s', async (_, how, level) => {
  const driver = runDriver<LightDriverCommand, LightFact>(
    driveLight({ probe: async () => ({ device: stuck, verdict: working('found', 'Found.') }) }),
  );
  try {
    await driver.until(isFact<LightFact, 'light.observed'>('light.observed'));
    const from = driver.facts.length;
    driver.tell({
      type: 'light.show',
      generation: 1,
      output: { level: 255, rgb: null },
      effect: 'none',
      ...how,
    });
    await driver.until(isFact<LightFact, 'light.written'>('light.written'));
    expect(driver.facts.slice(from)[0]).toMatchObject({ type: 'light.observed', output: { level } });
  } finally {
    driver.stop();
  }
});
