import assert from 'node:assert/strict';

import type { MixerReading, VolumeDriver, VolumeDriverCommand, VolumeFact } from '#machines/volume/events.ts';

import { isFact, runDriver, type RunningDriver } from './run-driver.ts';

/** A music stream under test and hands that reach it behind the driver's back. */
export interface VolumeRig {
  readonly logic: VolumeDriver;
  readonly route: string;
  readonly peek: () => Promise<MixerReading>;
  readonly poke: (reading: MixerReading) => Promise<void>;
  readonly end: () => Promise<void>;
}

type Driver = RunningDriver<VolumeDriverCommand, VolumeFact>;
const found = isFact<VolumeFact, 'mixer.found'>('mixer.found');
const writtenBy = (generation: number) =>
  isFact<VolumeFact, 'mixer.written'>('mixer.written', (fact) => fact.generation === generation);

async function withDriver(rig: VolumeRig, use: (driver: Driver) => Promise<void>): Promise<void> {
  const driver: Driver = runDriver(rig.logic);
  try {
    await use(driver);
    assert.equal(driver.crashed(), undefined);
  } finally {
    driver.stop();
  }
}

/** What every volume driver must do; a case fails by throwing. */
export const volumeContract: readonly { readonly title: string; readonly run: (rig: VolumeRig) => Promise<void> }[] = [
  {
    title: 'finds the stream by reading it and writes nothing at start',
    run: async (rig) => {
      await rig.poke({ percent: 37, muted: false });
      await withDriver(rig, async (driver) => {
        const fact = await driver.until(found);
        assert.deepEqual([fact.route, fact.percent, fact.muted], [rig.route, 37, false]);
        assert.deepEqual(await rig.peek(), { percent: 37, muted: false });
      });
    },
  },
  {
    title: 'writes, reads back and answers in order',
    run: (rig) =>
      withDriver(rig, async (driver) => {
        await driver.until(found);
        for (const [index, percent] of [100, 0, 55].entries())
          driver.tell({ type: 'mixer.write', generation: index + 1, percent });
        assert.equal((await driver.until(writtenBy(3))).percent, 55);
        assert.deepEqual(
          driver.facts.filter(isFact<VolumeFact, 'mixer.written'>('mixer.written')).map((fact) => fact.percent),
          [100, 0, 55],
        );
        assert.equal((await rig.peek()).percent, 55);
      }),
  },
  {
    title: 'ends a mute when a volume above 0 is set',
    run: async (rig) => {
      await rig.poke({ percent: 20, muted: true });
      await withDriver(rig, async (driver) => {
        assert.equal((await driver.until(found)).muted, true);
        driver.tell({ type: 'mixer.write', generation: 1, percent: 30 });
        const { percent, muted } = await driver.until(writtenBy(1));
        assert.deepEqual({ percent, muted }, { percent: 30, muted: false });
        assert.deepEqual(await rig.peek(), { percent: 30, muted: false });
      });
    },
  },
  {
    title: 'notices a change made elsewhere',
    run: async (rig) => {
      await rig.poke({ percent: 40, muted: false });
      await withDriver(rig, async (driver) => {
        await driver.until(found);
        await rig.poke({ percent: 63, muted: true });
        const seen = isFact<VolumeFact, 'mixer.observed'>(
          'mixer.observed',
          (fact) => fact.percent === 63 && fact.muted,
        );
        await driver.until(seen);
      });
    },
  },
];
