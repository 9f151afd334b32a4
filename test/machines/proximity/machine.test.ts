import { createActor, type EventObject } from 'xstate';
import { describe, expect, it } from 'vitest';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { isTrusted, judgeAction, judgeProximity } from '#machines/proximity/decide.ts';
import { rows } from '#machines/proximity/entities.ts';
import {
  type Calibration,
  calibrationActions,
  type ProximityEvent,
  type SessionView,
} from '#machines/proximity/events.ts';
import { proximityMachine } from '#machines/proximity/machine.ts';
import { type ProximitySnapshot, proximitySnapshot } from '#machines/proximity/snapshot.ts';

const source = { driver: 'proximity.iio', name: 'vcnl4040' };
const other = { driver: 'proximity.iio', name: 'apds9960' };
const calibration: Calibration = {
  mode: 'ranged',
  presence: { clear: 0, near: 100 },
  wave: { clear: 0, near: 100 },
  statuses: { presence: 'validated', wave: 'validated' },
  at: 1,
};
const review: SessionView = {
  id: 'one',
  stage: 'review',
  cue: null,
  cueAt: 1,
  cueEndsAt: null,
  stageEndsAt: null,
  endsAt: 9,
  waves: 3,
  statuses: calibration.statuses,
  candidate: { ...calibration, at: 2 },
  reason: null,
  raw: 1,
  level: 1,
};

/** The machine with hands in place of its drivers: what each was told is kept. */
function rig() {
  const told: Record<string, EventObject[]> = { sensor: [], store: [], wake: [], choice: [] };
  const hands = <TCommand extends EventObject>(name: string) =>
    fromDriver<TCommand, undefined, never>(({ onEvent }) => onEvent((event) => void told[name]?.push(event)));
  const actor = createActor(
    proximityMachine.provide({
      actors: { sensor: hands('sensor'), store: hands('store'), wake: hands('wake'), choice: hands('choice') },
    }),
  );
  actor.start();
  const send = (...events: readonly ProximityEvent[]): void => {
    for (const event of events) actor.send(event);
  };
  return {
    told,
    send,
    snapshot: () => actor.getSnapshot(),
    facts: (): ProximitySnapshot => proximitySnapshot(actor.getSnapshot()),
  };
}

const adopted = (told: readonly EventObject[]): unknown => told.filter(({ type }) => type === 'proximity.adopt').at(-1);
const ready: readonly ProximityEvent[] = [
  { type: 'source.found', source },
  { type: 'calibrations.recalled', calibrations: [{ source, calibration }] },
  { type: 'reading.changed', near: true, level: 90, at: 1 },
];

describe('an optional sensor', () => {
  const missing = (optional: boolean): ProximityEvent => ({
    type: 'source.missing',
    optional,
    verdict: { state: 'not_here', reason: 'none', detail: '', missing: null, fix: null },
  });
  it.each([
    ['is out of sight before the first probe', [], false],
    ['stays so while there is none', [missing(true)], false],
    ['is in sight once found', [missing(true), { type: 'source.found', source }], true],
    [
      'stays in sight when it is lost',
      [{ type: 'source.found', source }, { type: 'source.lost', reason: 'source-lost' }, missing(true)],
      true,
    ],
    ['that is not optional is in sight when there is none', [missing(false)], true],
  ] as const)('%s', (_, events, shown) => {
    const one = rig();
    one.send(...events);
    expect(rows.map((row) => row.shown?.(one.snapshot()))).toEqual([shown, shown]);
  });
});

describe('a calibration', () => {
  it('is given to the sensor that it was made with, whichever is known first', () => {
    const one = rig();
    one.send(
      { type: 'calibrations.recalled', calibrations: [{ source, calibration }] },
      { type: 'source.found', source },
    );
    expect(adopted(one.told['sensor'] ?? [])).toEqual({ type: 'proximity.adopt', source, calibration });
    const late = rig();
    late.send(
      { type: 'source.found', source },
      { type: 'calibrations.recalled', calibrations: [{ source, calibration }] },
    );
    expect(adopted(late.told['sensor'] ?? [])).toEqual({ type: 'proximity.adopt', source, calibration });
  });
  it('is not given to another sensor', () => {
    const one = rig();
    one.send(
      { type: 'calibrations.recalled', calibrations: [{ source, calibration }] },
      { type: 'source.found', source: other },
    );
    expect(adopted(one.told['sensor'] ?? [])).toEqual({ type: 'proximity.adopt', source: other, calibration: null });
  });
  it('is in force once the disk has it', () => {
    const one = rig();
    one.send(
      { type: 'source.found', source },
      { type: 'calibrations.recalled', calibrations: [{ source: other, calibration }] },
      { type: 'session.changed', session: review },
    );
    one.send({ type: 'calibration.asked', action: 'save', sessionId: 'one' });
    expect(one.facts()).toMatchObject({ keeping: 'save', calibrations: [{ source: other }] });
    const [kept] = one.told['store'] ?? [];
    const calibrations = [
      { source: other, calibration },
      { source, calibration: review.candidate },
    ];
    expect(kept).toEqual({ type: 'calibrations.keep', calibrations });
    one.send({
      type: 'calibrations.kept',
      calibrations: [
        { source: other, calibration },
        { source, calibration: { ...calibration, at: 2 } },
      ],
    });
    expect(one.facts().keeping).toBeNull();
    expect(one.told['sensor']?.slice(-2)).toEqual([
      { type: 'session.command', command: 'saved' },
      { type: 'proximity.adopt', source, calibration: review.candidate },
    ]);
  });
  it('that the disk refuses leaves the one before in force and says so', () => {
    const one = rig();
    one.send(
      ...ready,
      { type: 'session.changed', session: review },
      { type: 'calibration.asked', action: 'save', sessionId: 'one' },
      { type: 'calibrations.unkept', reason: 'ENOSPC' },
    );
    expect(one.facts()).toMatchObject({ keeping: null, fault: 'ENOSPC', calibrations: [{ source, calibration }] });
    expect(one.told['sensor']?.some((event) => 'command' in event && event.command === 'saved')).toBe(false);
    one.send({ type: 'calibration.asked', action: 'save', sessionId: 'one' });
    expect(one.facts()).toMatchObject({ keeping: 'save', fault: null });
  });
  it('is forgotten on demand, that of this sensor only', () => {
    const one = rig();
    one.send(
      { type: 'source.found', source },
      {
        type: 'calibrations.recalled',
        calibrations: [
          { source: other, calibration },
          { source, calibration },
        ],
      },
    );
    one.send({ type: 'calibration.asked', action: 'reset', sessionId: null });
    expect(one.told['store']).toEqual([{ type: 'calibrations.keep', calibrations: [{ source: other, calibration }] }]);
    one.send({ type: 'calibrations.kept', calibrations: [{ source: other, calibration }] });
    expect(adopted(one.told['sensor'] ?? [])).toEqual({ type: 'proximity.adopt', source, calibration: null });
  });
});

describe('what may be trusted', () => {
  const rowsSay = ({ snapshot }: ReturnType<typeof rig>): readonly unknown[] =>
    rows.map((row) => [row.available(snapshot()), 'read' in row ? row.read(snapshot()) : null]);
  it.each<[string, readonly ProximityEvent[], boolean]>([
    ['a calibrated sensor', ready, true],
    [
      'one that nobody calibrated',
      [
        { type: 'source.found', source },
        { type: 'reading.changed', near: true, level: 90, at: 1 },
      ],
      false,
    ],
    ['a running session', [...ready, { type: 'session.changed', session: { ...review, stage: 'near' } }], false],
    ['a session that ended', [...ready, { type: 'session.changed', session: { ...review, stage: 'cancelled' } }], true],
    ['a sensor that was lost', [...ready, { type: 'source.lost', reason: 'source-lost' }], false],
    [
      'one that is back and was not read yet',
      [...ready, { type: 'source.lost', reason: 'source-lost' }, { type: 'source.found', source }],
      false,
    ],
    [
      'a calibration for waves only',
      [
        { type: 'source.found', source },
        { type: 'calibrations.recalled', calibrations: [{ source, calibration: { ...calibration, presence: null } }] },
      ],
      false,
    ],
  ])('%s', (_, events, trusted) => {
    const one = rig();
    one.send(...events);
    expect(isTrusted(one.facts())).toBe(trusted);
    expect(rowsSay(one).every((said) => Array.isArray(said) && said[0] === trusted)).toBe(true);
  });
  it.each<[string, readonly ProximityEvent[], string, string]>([
    ['nothing was probed', [], 'checking', 'not-looked-yet'],
    ['nobody calibrated it', [{ type: 'source.found', source }], 'off', 'proximity-not-calibrated'],
    ['it is calibrated', ready, 'working', 'proximity-calibrated'],
    ['it was lost', [...ready, { type: 'source.lost', reason: 'source-lost' }], 'not_here', 'proximity-lost'],
  ])('the verdict while %s', (_, events, state, reason) => {
    const one = rig();
    one.send(...events);
    expect(judgeProximity(one.facts())).toMatchObject({ state, reason });
  });
});

describe('a wave', () => {
  it.each<[string, readonly ProximityEvent[], number]>([
    ['lights where the owner wants that', [...ready, { type: 'wake.chosen', on: true }], 1],
    ['lights nothing by default', ready, 0],
    [
      'lights nothing once it is switched off again',
      [...ready, { type: 'wake.chosen', on: true }, { type: 'wake.chosen', on: false }],
      0,
    ],
    [
      'lights nothing without a calibration for waves',
      [
        { type: 'source.found', source },
        { type: 'calibrations.recalled', calibrations: [{ source, calibration: { ...calibration, wave: null } }] },
        { type: 'wake.chosen', on: true },
      ],
      0,
    ],
    [
      'lights nothing while a calibration runs',
      [
        ...ready,
        { type: 'wake.chosen', on: true },
        { type: 'session.changed', session: { ...review, stage: 'waves' } },
      ],
      0,
    ],
    [
      'lights nothing of a sensor that is gone',
      [...ready, { type: 'wake.chosen', on: true }, { type: 'source.lost', reason: 'source-lost' }],
      0,
    ],
  ])('%s', (_, events, lights) => {
    const one = rig();
    one.send(...events, { type: 'wave.detected', at: 5 });
    expect(one.told['wake']).toHaveLength(lights);
    expect(one.facts().waves).toBe(1);
  });
});

type SensorState = 'absent' | 'idle' | 'calibrating';
type MemoryState = 'recalling' | 'settled' | 'saving' | 'resetting';
const intro: SessionView = { ...review, stage: 'intro', candidate: null };
const ended: SessionView = { ...intro, stage: 'cancelled' };
const recalled: ProximityEvent = { type: 'calibrations.recalled', calibrations: [] };
const found: ProximityEvent = { type: 'source.found', source };
const lost: ProximityEvent = { type: 'source.lost', reason: 'source-lost' };
const ask = (action: (typeof calibrationActions)[number]): ProximityEvent => ({
  type: 'calibration.asked',
  action,
  sessionId: 'one',
});
const kept: ProximityEvent = { type: 'calibrations.kept', calibrations: [] };
const unkept: ProximityEvent = { type: 'calibrations.unkept', reason: 'ENOSPC' };

/** What leads to each state of a region, in a machine whose other region is where it began. */
const waysTo: Readonly<Record<SensorState, readonly ProximityEvent[]>> = {
  absent: [],
  idle: [found],
  calibrating: [found, { type: 'session.changed', session: review }],
};
const memoryWays: Readonly<Record<MemoryState, readonly ProximityEvent[]>> = {
  recalling: [],
  settled: [recalled],
  saving: [recalled, found, { type: 'session.changed', session: review }, ask('save')],
  resetting: [recalled, found, ask('reset')],
};
function stateIn(region: 'sensor' | 'store', { snapshot }: ReturnType<typeof rig>): unknown {
  const { value } = snapshot();
  const regions: unknown = typeof value === 'object' ? value['watching'] : null;
  const state: unknown =
    typeof regions === 'object' && regions !== null
      ? Object.entries(regions).find(([name]) => name === region)?.[1]
      : null;
  return typeof state === 'object' && state !== null ? Object.values(state)[0] : state;
}

describe('the chart', () => {
  it.each<[SensorState, ProximityEvent, SensorState]>([
    ['absent', found, 'idle'],
    ['absent', lost, 'absent'],
    ['absent', { type: 'session.changed', session: intro }, 'absent'],
    ['absent', ask('start'), 'absent'],
    ['idle', found, 'idle'],
    ['idle', lost, 'absent'],
    ['idle', { type: 'session.changed', session: intro }, 'calibrating'],
    ['idle', { type: 'session.changed', session: ended }, 'idle'],
    ['idle', ask('start'), 'idle'],
    ['calibrating', { type: 'session.changed', session: intro }, 'calibrating'],
    ['calibrating', { type: 'session.changed', session: ended }, 'idle'],
    ['calibrating', lost, 'absent'],
    ['calibrating', ask('cancel'), 'calibrating'],
    ['calibrating', kept, 'calibrating'],
  ])('of the sensor: %s, %o: %s', (from, event, to) => {
    const one = rig();
    one.send(...waysTo[from], event);
    expect(stateIn('sensor', one)).toBe(to);
  });
  it.each<[MemoryState, ProximityEvent, MemoryState]>([
    ['recalling', recalled, 'settled'],
    ['recalling', ask('reset'), 'recalling'],
    ['recalling', kept, 'recalling'],
    ['settled', kept, 'settled'],
    ['settled', ask('reset'), 'settled'],
    ['settled', ask('save'), 'settled'],
    ['saving', kept, 'settled'],
    ['saving', unkept, 'settled'],
    ['saving', ask('reset'), 'saving'],
    ['saving', lost, 'saving'],
    ['resetting', kept, 'settled'],
    ['resetting', unkept, 'settled'],
    ['resetting', ask('save'), 'resetting'],
    ['resetting', lost, 'resetting'],
  ])('of the memory: %s, %o: %s', (from, event, to) => {
    const one = rig();
    one.send(...memoryWays[from], event);
    expect(stateIn('store', one)).toBe(to);
  });

  const sensors: Readonly<Record<string, readonly ProximityEvent[]>> = {
    ...waysTo,
    'at the intro': [found, { type: 'session.changed', session: intro }],
    'of another session': [found, { type: 'session.changed', session: { ...review, id: 'two' } }],
    'after a session': [found, { type: 'session.changed', session: ended }],
  };
  const memories: Readonly<Record<string, readonly ProximityEvent[]>> = {
    recalling: [],
    settled: [recalled],
    saving: memoryWays.saving,
    resetting: memoryWays.resetting,
  };
  const cases = Object.keys(sensors).flatMap((sensor) =>
    Object.keys(memories).flatMap((memory) => calibrationActions.map((action) => [sensor, memory, action] as const)),
  );
  it.each(cases)('takes a step when the words say so: sensor %s, memory %s, %s', (sensor, memory, action) => {
    const one = rig();
    one.send(...(memories[memory] ?? []), ...(sensor === 'absent' ? [lost] : []), ...(sensors[sensor] ?? []));
    const counts = (): number => Object.values(one.told).flat().length;
    const before = counts();
    const judged = judgeAction(one.facts(), action, 'one');
    one.send(ask(action));
    expect(counts() > before).toBe(judged.ok);
  });
});

it('ends as failed when one of its drivers crashes', () => {
  const quiet = <TCommand extends EventObject>() => fromDriver<TCommand, undefined, never>(() => {});
  const broken = <TCommand extends EventObject>() =>
    fromDriver<TCommand, undefined, never>(() => {
      throw new Error('broken');
    });
  const actor = createActor(
    proximityMachine.provide({ actors: { sensor: broken(), store: quiet(), choice: quiet(), wake: quiet() } }),
  );
  actor.start();
  expect(actor.getSnapshot()).toMatchObject({
    status: 'done',
    output: { ended: 'failed', reason: 'proximity-driver' },
  });
});

describe('the trace of the level', () => {
  it('has at most one point a second with the newest level, marks a gap once, and takes up again at once', () => {
    const { send, snapshot } = rig();
    send(
      { type: 'source.found', source },
      { type: 'reading.changed', near: false, level: 10, at: 1_000 },
      { type: 'reading.changed', near: false, level: 12, at: 1_250 },
      { type: 'reading.changed', near: true, level: 80, at: 2_000 },
      { type: 'reading.changed', near: null, level: null, at: 2_100 },
      { type: 'reading.changed', near: null, level: null, at: 2_400 },
      { type: 'reading.changed', near: true, level: 81, at: 2_500 },
    );
    expect(snapshot().context.trace).toEqual([
      { at: 1_000, value: 12 },
      { at: 2_000, value: 80 },
      { at: 2_100, value: null },
      { at: 2_500, value: 81 },
    ]);
  });

  it('ends at the level that stays, however soon it came', () => {
    const { send, snapshot } = rig();
    send(
      { type: 'source.found', source },
      { type: 'reading.changed', near: false, level: 20, at: 10_000 },
      { type: 'reading.changed', near: true, level: 90, at: 10_400 },
    );
    expect(snapshot().context.trace.at(-1)).toEqual({ at: 10_000, value: 90 });
  });
});
