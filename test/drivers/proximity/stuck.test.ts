import { expect, test } from 'vitest';

import { sampledProximity } from '#drivers/proximity/sampled.ts';
import type { ProximityDriverCommand, ProximityFact } from '#machines/proximity/events.ts';
import { proximityDecisions } from '#profiles/drivers/proximity.ts';

import { steppedClock } from '../../fakes/sample-clock.ts';
import { isFact, runDriver } from '../run-driver.ts';

/** Lets what was promised happen. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a sensor whose bus hangs is lost, and not read again before the reading that hangs has ended', async () => {
  const clock = steppedClock();
  const answers: ((raw: number) => void)[] = [];
  let opened = 0;
  const logic = sampledProximity({
    decisions: proximityDecisions,
    pollHz: 20,
    clock,
    open: () => {
      opened += 1;
      return {
        sensor: {
          source: { driver: 'proximity.iio', name: 'slow' },
          read: () => new Promise<number>((resolve) => void answers.push(resolve)),
          close: () => {},
        },
      };
    },
  });
  const driver = runDriver<ProximityDriverCommand, ProximityFact>(logic);
  await turn();
  answers[0]?.(12);
  await driver.until(isFact<ProximityFact, 'source.found'>('source.found'));
  await turn();
  // Not calibrated: it is read once a second.
  clock.pass(50);
  expect(answers).toHaveLength(1);
  clock.pass(950);
  expect(answers).toHaveLength(2);
  clock.pass(1000);
  await driver.until(isFact<ProximityFact, 'source.lost'>('source.lost'));
  for (let probe = 0; probe < 30; probe += 1) {
    clock.pass(2000);
    // oxlint-disable-next-line no-await-in-loop -- each probe has its own turn
    await turn();
  }
  expect([opened, answers.length]).toEqual([1, 2]);
  answers[1]?.(12);
  await turn();
  clock.pass(2000);
  await turn();
  expect([opened, answers.length]).toEqual([2, 3]);
  driver.stop();
});

test('a sensor whose bus hangs holds up nobody who stops, though its file closes only after the reading', async () => {
  const clock = steppedClock();
  const answers: ((raw: number) => void)[] = [];
  let reading = Promise.resolve(0);
  let isClosed = false;
  const logic = sampledProximity({
    decisions: proximityDecisions,
    pollHz: 20,
    clock,
    open: () => ({
      sensor: {
        source: { driver: 'proximity.iio', name: 'slow' },
        read: () => (reading = new Promise<number>((resolve) => void answers.push(resolve))),
        // As a FileHandle's: it waits for the reading that is under way.
        close: () => reading.then(() => void (isClosed = true)),
      },
    }),
  });
  const driver = runDriver<ProximityDriverCommand, ProximityFact>(logic);
  await turn();
  answers[0]?.(12);
  await driver.until(isFact<ProximityFact, 'source.found'>('source.found'));
  await turn();
  clock.pass(1000);
  clock.pass(1000);
  await driver.until(isFact<ProximityFact, 'source.lost'>('source.lost'));
  driver.stop();
  const settled = driver.settled().then(() => 'settled');
  expect(await Promise.race([settled, turn().then(() => 'waits')])).toBe('settled');
  expect([answers.length, isClosed]).toEqual([2, false]);
  answers[1]?.(12);
  await turn();
  expect(isClosed).toBe(true);
});
