import assert from 'node:assert/strict';

import type {
  Calibration,
  ProximityDriver,
  ProximityDriverCommand,
  ProximityFact,
  ProximitySource,
} from '#machines/proximity/events.ts';

import { isFact, runDriver, type RunningDriver } from './run-driver.ts';

/** A proximity sensor under test and the hand in front of it. */
export interface ProximityRig {
  readonly logic: ProximityDriver;
  readonly source: ProximitySource;
  /** Raw readings without and with a hand, in the sensor's own unit. */
  readonly clear: number;
  readonly near: number;
  readonly mode: Calibration['mode'];
  /** Moves the hand. */
  readonly move: (raw: number) => Promise<void>;
  /** Pulls the sensor out, or puts it back; null where the rig cannot. */
  readonly plug: ((plugged: boolean) => Promise<void>) | null;
  readonly end: () => Promise<void>;
}

type Driver = RunningDriver<ProximityDriverCommand, ProximityFact>;

const found = isFact<ProximityFact, 'source.found'>('source.found');
const reads = (near: boolean, level: number) =>
  isFact<ProximityFact, 'reading.changed'>('reading.changed', (fact) => fact.near === near && fact.level === level);

async function withDriver(rig: ProximityRig, use: (driver: Driver) => Promise<void>): Promise<void> {
  const driver: Driver = runDriver(rig.logic);
  try {
    await use(driver);
    assert.equal(driver.crashed(), undefined);
  } finally {
    driver.stop();
  }
}

const adopt = ({ source, clear, near, mode }: ProximityRig): ProximityDriverCommand => ({
  type: 'proximity.adopt',
  source,
  calibration: {
    mode,
    presence: { clear, near },
    wave: { clear, near },
    statuses: { presence: 'validated', wave: 'validated' },
    at: 1,
  },
});

/** What every proximity driver must do; a case fails by throwing. */
export const proximityContract: readonly {
  readonly title: string;
  readonly run: (rig: ProximityRig) => Promise<void>;
}[] = [
  {
    title: 'finds the sensor by reading it, and says nothing of it before it is calibrated',
    run: async (rig) => {
      await rig.move(rig.near);
      await withDriver(rig, async (driver) => {
        assert.deepEqual((await driver.until(found)).source, rig.source);
        assert.equal(driver.facts.some(isFact<ProximityFact, 'reading.changed'>('reading.changed')), false);
      });
    },
  },
  {
    title: 'tells near and far of a calibrated sensor within a second',
    run: async (rig) => {
      await rig.move(rig.clear);
      await withDriver(rig, async (driver) => {
        await driver.until(found);
        driver.tell(adopt(rig));
        await driver.until(reads(false, 0), 0, 2000);
        const before = driver.facts.length;
        await rig.move(rig.near);
        await driver.until(reads(true, 100), before, 1500);
        const after = driver.facts.length;
        await rig.move(rig.clear);
        await driver.until(reads(false, 0), after, 1500);
      });
    },
  },
  {
    title: 'opens a session, tells its reading, and ends it on demand',
    run: async (rig) => {
      await rig.move(rig.clear);
      await withDriver(rig, async (driver) => {
        await driver.until(found);
        driver.tell({ type: 'session.command', command: 'start' });
        const intro = await driver.until(
          isFact<ProximityFact, 'session.changed'>(
            'session.changed',
            ({ session }) => session.stage === 'intro' && session.raw === rig.clear,
          ),
        );
        assert.match(intro.session.id, /^[0-9a-f-]{36}$/);
        driver.tell({ type: 'session.command', command: 'begin' });
        await driver.until(
          isFact<ProximityFact, 'session.changed'>(
            'session.changed',
            ({ session }) => session.stage === 'clear' && session.cue === 'prepare',
          ),
        );
        driver.tell({ type: 'session.command', command: 'cancel' });
        await driver.until(
          isFact<ProximityFact, 'session.changed'>('session.changed', ({ session }) => session.stage === 'cancelled'),
        );
      });
    },
  },
  {
    title: 'tells that the sensor is gone, and finds it again within five seconds',
    run: async (rig) => {
      const { plug } = rig;
      if (plug === null) return;
      await rig.move(rig.clear);
      await withDriver(rig, async (driver) => {
        await driver.until(found);
        driver.tell({ type: 'session.command', command: 'start' });
        await plug(false);
        await driver.until(isFact<ProximityFact, 'source.lost'>('source.lost'));
        await driver.until(
          isFact<ProximityFact, 'session.changed'>(
            'session.changed',
            ({ session }) => session.stage === 'failed' && session.reason === 'source-lost',
          ),
        );
        await driver.until(
          isFact<ProximityFact, 'source.missing'>('source.missing', ({ verdict }) => verdict.state === 'not_here'),
        );
        const before = driver.facts.length;
        await plug(true);
        await driver.until(found, before, 5000);
      });
    },
  },
];
