import { describe, expect, it } from 'vitest';

import type { Calibration, ProximityFact, ProximitySource, WatchInput } from '#machines/proximity/events.ts';
import {
  readCalibrations,
  calibrationsSection,
  MOST_CALIBRATIONS,
  withCalibration,
  withoutSource,
} from '#machines/proximity/calibration.ts';
import { watchProximity } from '#machines/proximity/watch.ts';

import { series, type Stretch } from './samples.ts';

const source: ProximitySource = { driver: 'proximity.iio', name: 'vcnl4040' };
const other: ProximitySource = { driver: 'proximity.iio', name: 'apds9960' };
const calibration: Calibration = {
  mode: 'ranged',
  presence: { clear: 0, near: 100 },
  wave: { clear: 0, near: 100 },
  statuses: { presence: 'validated', wave: 'validated' },
  at: 1,
};

function rig() {
  const { take } = watchProximity();
  const facts: ProximityFact[] = [];
  let at = 1_000_000;
  const tell = (input: WatchInput): void => void facts.push(...take(input));
  return {
    facts,
    of: <T extends ProximityFact['type']>(type: T) =>
      facts.filter((fact): fact is Extract<ProximityFact, { type: T }> => fact.type === type),
    open: (opened = source) => tell({ type: 'opened', source: opened, at }),
    adopt: (adopted: Calibration | null = calibration, of = source) =>
      tell({ type: 'adopt', source: of, calibration: adopted, at }),
    command: (command: 'start' | 'begin' | 'cancel' | 'heartbeat' | 'saved', id = 'one') =>
      tell({ type: 'command', command, id, at }),
    close: () => tell({ type: 'closed', at }),
    see: (...stretches: readonly Stretch[]) => {
      for (const sample of series(stretches, { start: at })) {
        ({ at } = sample);
        tell({ type: 'sample', raw: sample.raw, at });
      }
      at += 50;
    },
    seeAt: (raw: number, by: number) => {
      at += by;
      tell({ type: 'sample', raw, at });
    },
  };
}

const last = <T>(list: readonly T[]): T | undefined => list.at(-1);

describe('watching a sensor', () => {
  it('finds it with its first reading, not before', () => {
    const one = rig();
    one.open();
    expect(one.facts).toEqual([]);
    one.see({ raw: 5, ms: 100 });
    expect(one.facts).toEqual([{ type: 'source.found', source }]);
  });
  it('says nothing of near and level before it is calibrated', () => {
    const one = rig();
    one.open();
    one.see({ raw: 0, ms: 1000 }, { raw: 100, ms: 1000 });
    expect(one.of('reading.changed')).toEqual([]);
    expect(one.of('wave.detected')).toEqual([]);
  });
  it('tells near and level, at most four levels a second', () => {
    const one = rig();
    one.open();
    one.adopt();
    one.see({ raw: 0, ms: 1000 });
    expect(last(one.of('reading.changed'))).toMatchObject({ near: false, level: 0 });
    const before = one.of('reading.changed').length;
    one.see(...Array.from({ length: 20 }, (_, n) => ({ raw: n + 1, ms: 50 })));
    expect(one.of('reading.changed').length - before).toBeLessThanOrEqual(5);
    one.see({ raw: 100, ms: 1000 });
    expect(last(one.of('reading.changed'))).toMatchObject({ near: true, level: 100 });
    expect(one.of('wave.detected')).toHaveLength(1);
  });
  it('keeps quiet while a calibration runs, waves included, and goes on after it', () => {
    const one = rig();
    one.open();
    one.adopt();
    one.see({ raw: 0, ms: 1000 });
    one.command('start');
    expect(last(one.of('reading.changed'))).toMatchObject({ near: null, level: null });
    one.see({ raw: 0, ms: 1000 }, { raw: 100, ms: 1000 }, { raw: 0, ms: 1000 });
    expect(one.of('wave.detected')).toEqual([]);
    expect(last(one.of('reading.changed'))).toMatchObject({ near: null });
    one.command('cancel');
    one.see({ raw: 0, ms: 1000 });
    expect(last(one.of('session.changed'))?.session.stage).toBe('cancelled');
    expect(last(one.of('reading.changed'))).toMatchObject({ near: false, level: 0 });
  });
  it('keeps one session at a time', () => {
    const one = rig();
    one.open();
    one.command('start');
    expect(one.of('session.changed')).toEqual([]);
    one.see({ raw: 0, ms: 100 });
    one.command('start', 'first');
    one.command('start', 'second');
    expect(one.of('session.changed').map(({ session }) => session.id)).toEqual(['first']);
  });
  it.each([
    ['closed', (one: ReturnType<typeof rig>) => one.close(), 'source-lost'],
    ['a reading that is none', (one: ReturnType<typeof rig>) => one.seeAt(Number.NaN, 50), 'bad-reading'],
  ] as const)('is lost: %s; the session fails with it, and it comes back with its calibration', (_, lose, reason) => {
    const one = rig();
    one.open();
    one.adopt();
    one.see({ raw: 100, ms: 1000 });
    one.command('start');
    lose(one);
    expect(last(one.of('session.changed'))?.session).toMatchObject({ stage: 'failed', reason });
    expect(last(one.of('source.lost'))).toEqual({ type: 'source.lost', reason });
    one.open();
    one.see({ raw: 100, ms: 100 });
    expect(one.of('source.found')).toHaveLength(2);
    one.adopt();
    one.see({ raw: 100, ms: 1000 });
    expect(last(one.of('reading.changed'))).toMatchObject({ near: true, level: 100 });
  });
  it('takes a sensor of two states that says something else for a lost one, until it is sound again', () => {
    const one = rig();
    one.open();
    one.see({ raw: 0, ms: 100 });
    one.adopt({ ...calibration, mode: 'binary', presence: { clear: 0, near: 1 }, wave: null });
    one.see({ raw: 1, ms: 500 });
    expect(last(one.of('reading.changed'))).toMatchObject({ near: true, level: 100 });
    one.see({ raw: 37, ms: 500 });
    expect(one.of('source.lost')).toHaveLength(1);
    expect(last(one.of('reading.changed'))).toMatchObject({ near: null, level: null });
    one.see({ raw: 0, ms: 500 });
    expect(one.of('source.found')).toHaveLength(2);
    expect(last(one.of('reading.changed'))).toMatchObject({ near: false, level: 0 });
  });
  it('forgets gestures, and nothing else, when the clock goes back', () => {
    const one = rig();
    one.open();
    one.adopt();
    one.see({ raw: 0, ms: 1000 });
    one.seeAt(100, -60_000);
    one.see({ raw: 100, ms: 600 });
    expect(one.of('source.lost')).toEqual([]);
    expect(one.of('wave.detected')).toEqual([]);
    expect(last(one.of('reading.changed'))).toMatchObject({ near: true, level: 100 });
  });
  it('tells once of a sensor that opens and never says a number', () => {
    const one = rig();
    one.open();
    for (let ms = 50; ms < 500; ms += 50) one.seeAt(Number.NaN, ms);
    expect(one.of('source.lost')).toEqual([{ type: 'source.lost', reason: 'bad-reading' }]);
    one.see({ raw: 7, ms: 100 });
    expect(one.of('source.found')).toHaveLength(1);
  });
  it('takes no calibration of another sensor', () => {
    const one = rig();
    one.open();
    one.adopt(calibration, other);
    one.see({ raw: 100, ms: 1000 });
    expect(one.of('reading.changed')).toEqual([]);
    one.open();
    one.adopt();
    one.open(other);
    one.see({ raw: 100, ms: 1000 });
    expect(one.of('reading.changed')).toEqual([]);
  });
});

describe('the kept calibrations', () => {
  it('come back as they were written', () => {
    const kept = [{ source, calibration }];
    expect(readCalibrations(JSON.parse(JSON.stringify(calibrationsSection(kept))))).toEqual(kept);
  });
  it.each([null, undefined, 7, {}, { version: 2, calibrations: [] }, { version: 1, calibrations: [{ source }] }])(
    'are none in %o',
    (section) => expect(readCalibrations(section)).toEqual([]),
  );
  it('hold one for each sensor, and no more than eight', () => {
    const many = Array.from({ length: 12 }, (_, n) => ({ source: { ...source, name: `sensor ${n}` }, calibration }));
    const kept = many.reduce<ReturnType<typeof readCalibrations>>((list, one) => withCalibration(list, one), []);
    expect(kept).toHaveLength(MOST_CALIBRATIONS);
    const again = withCalibration(kept, {
      source: { ...source, name: 'sensor 5' },
      calibration: { ...calibration, at: 9 },
    });
    expect(again).toHaveLength(MOST_CALIBRATIONS);
    expect(again.at(-1)).toMatchObject({ source: { name: 'sensor 5' }, calibration: { at: 9 } });
    expect(withoutSource(again, { ...source, name: 'sensor 5' })).toHaveLength(MOST_CALIBRATIONS - 1);
  });
});
