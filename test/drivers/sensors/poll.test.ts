import { afterEach, describe, expect, test, vi } from 'vitest';
import type { EventObject } from 'xstate';

import { polledSensor } from '#drivers/sensors/poll.ts';
import { createReadQueue } from '#drivers/sensors/read-queue.ts';
import type { SensorFact } from '#machines/sensors/events.ts';

import { isFact, runDriver } from '../run-driver.ts';

const sampled = isFact<SensorFact, 'sensor.sampled'>('sensor.sampled');

const sensor = (read: () => Promise<number>, everyMs = 1000, optional = false, inTurn = createReadQueue()) =>
  runDriver<EventObject, SensorFact>(
    polledSensor({
      kind: 'temperature',
      way: 'test',
      named: null,
      everyMs,
      optional,
      offset: 0,
      inTurn,
      find: async () => ({ device: 'chip', read, isThere: async () => true }),
    }),
  );

describe('sensors of a bus that hangs', () => {
  test('hold at most two of the threads that read files, and the third is read once one of them has answered', async () => {
    const answers: ((value: number) => void)[] = [];
    const hang = (): Promise<number> => new Promise((resolve) => void answers.push(resolve));
    const inTurn = createReadQueue();
    const hanging = [sensor(hang, 1000, false, inTurn), sensor(hang, 1000, false, inTurn)];
    await expect.poll(() => answers.length).toBe(2);
    let reads = 0;
    const third = sensor(async () => (reads += 1), 1000, false, inTurn);
    await new Promise((resolve) => setImmediate(resolve));
    expect(reads).toBe(0);
    answers[0]?.(20);
    expect((await third.until(sampled)).value).toBe(1);
    answers[1]?.(20);
    for (const one of [...hanging, third]) one.stop();
  });
});

describe('the interval', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each([
    [1000, 13],
    [3000, 5],
    [5000, 3],
  ])('of %i ms is kept, though the device is looked after more often', async (everyMs, times) => {
    vi.useFakeTimers();
    let reads = 0;
    const driver = sensor(async () => (reads += 1), everyMs);
    await vi.advanceTimersByTimeAsync(12_050);
    expect(reads).toBe(times);
    driver.stop();
  });
});

describe('a sensor that is not there', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is probed for every two seconds, told of once, and read when it is there', async () => {
    vi.useFakeTimers();
    let probes = 0;
    let isThere = false;
    const driver = runDriver<EventObject, SensorFact>(
      polledSensor({
        kind: 'temperature',
        way: 'test',
        named: null,
        everyMs: 1000,
        optional: false,
        offset: 0,
        inTurn: createReadQueue(),
        find: async () => {
          probes += 1;
          return isThere ? { device: 'chip', read: async () => 21, isThere: async () => isThere } : null;
        },
      }),
    );
    await vi.advanceTimersByTimeAsync(6100);
    expect([probes, driver.facts.map(({ type }) => type)]).toEqual([4, ['sensor.missing']]);
    isThere = true;
    await vi.advanceTimersByTimeAsync(2000);
    expect(driver.facts.map(({ type }) => type)).toEqual(['sensor.missing', 'sensor.found', 'sensor.sampled']);
    driver.stop();
  });

  test('is probed for at once when it was lost', async () => {
    vi.useFakeTimers();
    let isThere = true;
    const driver = runDriver<EventObject, SensorFact>(
      polledSensor({
        kind: 'temperature',
        way: 'test',
        named: null,
        everyMs: 60_000,
        optional: false,
        offset: 0,
        inTurn: createReadQueue(),
        find: async () => (isThere ? { device: 'chip', read: async () => 21, isThere: async () => isThere } : null),
      }),
    );
    await vi.advanceTimersByTimeAsync(5000);
    isThere = false;
    await vi.advanceTimersByTimeAsync(2100);
    expect(driver.facts.map(({ type }) => type)).toEqual([
      'sensor.found',
      'sensor.sampled',
      'sensor.lost',
      'sensor.missing',
    ]);
    driver.stop();
  });
});

describe('an optional sensor', () => {
  test.each([
    ['EIO', true],
    ['EACCES', false],
  ])('that cannot be read (%s) is out of sight: %s', async (code, optional) => {
    const driver = sensor(() => Promise.reject(Object.assign(new Error(code), { code })), 1000, true);
    expect((await driver.until(isFact<SensorFact, 'sensor.missing'>('sensor.missing'))).optional).toBe(optional);
    driver.stop();
  });
});
