import { describe, expect, it } from 'vitest';

import { type SessionView, type Stage, stages as everyStage } from '#machines/proximity/events.ts';
import { type Session, startSession, viewOf } from '#machines/proximity/session.ts';
import { commandSession, stepSession } from '#machines/proximity/session-step.ts';
import { rules } from '#machines/proximity/watch.ts';

import { series, type Stretch } from './samples.ts';

const START = 5_000_000;

/** A session on a clock of its own, in front of a sensor whose readings are given. */
function rig(hz = 20) {
  let session: Session = startSession('one', START, true);
  let at = START;
  const stages: Stage[] = ['intro'];
  const note = (next: Session): void => {
    session = next;
    if (stages.at(-1) !== next.stage) stages.push(next.stage);
  };
  return {
    /** The page asks for something. */
    ask: (command: 'begin' | 'cancel' | 'heartbeat' | 'saved') => note(commandSession(session, command, at, rules)),
    /** So many readings; the page says every five seconds that it is there, unless it is `silent`. */
    see: (stretches: readonly Stretch[], silent = false) => {
      let beat = at;
      for (const sample of series(stretches, { hz, start: at })) {
        ({ at } = sample);
        if (!silent && at - beat >= 5000) {
          beat = at;
          note(commandSession(session, 'heartbeat', at, rules));
        }
        note(stepSession(session, sample.raw, at, rules));
      }
      at += 1000 / hz;
    },
    /** One reading at a moment of its own. */
    seeAt: (raw: number, moment: number) => note(stepSession(session, raw, moment, rules)),
    at: () => at,
    stages: () => stages,
    view: (): SessionView => viewOf(session, rules),
  };
}

type Rig = ReturnType<typeof rig>;

/** A sensor's readings without and with a hand. */
interface Sensor {
  readonly name: string;
  readonly clear: Omit<Stretch, 'ms'>;
  readonly near: Omit<Stretch, 'ms'>;
  readonly mode: 'binary' | 'ranged';
}

const rising: Sensor = {
  name: 'a reading that rises',
  clear: { raw: 40, noise: 6 },
  near: { raw: 900, noise: 40 },
  mode: 'ranged',
};
const falling: Sensor = {
  name: 'a distance that falls',
  clear: { raw: 1900, noise: 30 },
  near: { raw: 320, noise: 20 },
  mode: 'ranged',
};
const binary: Sensor = { name: 'two states', clear: { raw: 0 }, near: { raw: 1 }, mode: 'binary' };
const inverted: Sensor = {
  name: 'two states, the other way round',
  clear: { raw: 1 },
  near: { raw: 0 },
  mode: 'binary',
};

const clear = ({ clear: base }: Sensor, ms: number): Stretch => ({ ...base, ms });
const near = ({ near: base }: Sensor, ms: number): Stretch => ({ ...base, ms });
const wave = (sensor: Sensor, held = 500): readonly Stretch[] => [
  clear(sensor, 1200),
  near(sensor, held),
  clear(sensor, 1200),
];

/** From the intro to the named stage, by the way on which everything goes well. */
function upTo(stage: Stage, sensor: Sensor = rising, hz = 20): Rig {
  const one = rig(hz);
  one.see([clear(sensor, 500)]);
  const way: readonly (readonly [Stage, () => void])[] = [
    ['intro', () => one.ask('begin')],
    ['clear', () => one.see([clear(sensor, 13_100)])],
    ['near', () => one.see([near(sensor, 13_100)])],
    ['return', () => one.see([clear(sensor, 13_200)])],
    ['wave_baseline', () => one.see([clear(sensor, 13_100)])],
    ['wave_capture', () => one.see(wave(sensor))],
    ['waves', () => one.see([...wave(sensor), ...wave(sensor), ...wave(sensor)])],
  ];
  for (const [name, go] of way) {
    if (name === stage) break;
    go();
  }
  expect(one.view().stage).toBe(stage);
  return one;
}

describe.each([rising, falling, binary, inverted])('calibrating $name', (sensor) => {
  it.each([10, 20, 50])('goes through every stage at %d samples each second', (hz) => {
    const one = upTo('review', sensor, hz);
    expect(one.stages()).toEqual([
      'intro',
      'clear',
      'near',
      'return',
      'wave_baseline',
      'wave_capture',
      'waves',
      'review',
    ]);
    const { candidate, statuses } = one.view();
    expect(statuses).toEqual({ presence: 'validated', wave: 'validated' });
    expect(candidate?.mode).toBe(sensor.mode);
    const { presence } = candidate ?? {};
    expect(Math.abs((presence?.clear ?? 0) - sensor.clear.raw)).toBeLessThanOrEqual(sensor.clear.noise ?? 0);
    expect(Math.abs((presence?.near ?? 0) - sensor.near.raw)).toBeLessThanOrEqual(sensor.near.noise ?? 0);
    one.ask('saved');
    expect(one.view()).toMatchObject({ stage: 'saved', candidate: null });
  });
});

describe('what the person is told', () => {
  it('is a countdown of 8 s and then 5 s of holding', () => {
    const one = upTo('clear');
    const begun = one.at();
    expect(one.view()).toMatchObject({ cue: 'prepare', cueAt: begun, cueEndsAt: begun + 8000 });
    one.see([clear(rising, 8100)]);
    const { cue, cueAt, cueEndsAt } = one.view();
    expect([cue, cueAt - begun >= 8000, (cueEndsAt ?? 0) - cueAt]).toEqual(['wait_clear', true, 5000]);
  });
  it.each<[Stage, string, number]>([
    ['near', 'approach', 8000],
    ['return', 'move_away', 8000],
    ['wave_baseline', 'prepare', 8000],
    ['wave_capture', 'wave', 45_000],
    ['waves', 'wave', 45_000],
  ])('at %s: %s', (stage, cue, ms) => {
    const view = upTo(stage).view();
    expect([view.cue, (view.cueEndsAt ?? 0) - view.cueAt]).toEqual([cue, ms]);
  });
  it('holds a capture anew when the hand goes away in between', () => {
    const one = upTo('near');
    one.see([near(rising, 11_000)]);
    expect(one.view().cue).toBe('hold');
    one.see([clear(rising, 300)]);
    expect(one.view()).toMatchObject({ stage: 'near', cue: 'approach', cueEndsAt: null });
    one.see([near(rising, 4800)]);
    expect(one.view().stage).toBe('near');
    one.see([near(rising, 400)]);
    expect(one.view().stage).toBe('return');
  });
  it('counts the accepted waves, and no quick flick or long hold among them', () => {
    const one = upTo('waves');
    one.see(wave(rising));
    expect(one.view().waves).toBe(1);
    one.see(wave(rising, 100));
    expect(one.view().waves).toBe(1);
    one.see(wave(rising));
    expect(one.view()).toMatchObject({ stage: 'waves', waves: 2 });
  });
});

describe('what runs out', () => {
  it.each<[Stage, number, Stage, Partial<SessionView['statuses']>]>([
    ['near', 30_000, 'wave_baseline', { presence: 'not_detected' }],
    ['wave_capture', 45_000, 'review', { presence: 'validated', wave: 'not_detected' }],
    ['waves', 45_000, 'review', { presence: 'validated', wave: 'not_detected' }],
  ])('nobody does anything at %s for %d ms', (stage, ms, next, statuses) => {
    const one = upTo(stage);
    const end = one.view().stageEndsAt ?? 0;
    expect(end - one.at()).toBeLessThanOrEqual(ms);
    one.see([clear(rising, end - one.at() - 100)]);
    expect(one.view().stage).toBe(stage);
    one.see([clear(rising, 200)]);
    expect(one.view()).toMatchObject({ stage: next, statuses });
  });
  it.each<[Stage, Stage, Partial<SessionView['statuses']>, number]>([
    ['return', 'wave_baseline', { presence: 'not_detected' }, 30_100],
    ['wave_baseline', 'review', { presence: 'validated', wave: 'not_detected' }, 45_100],
  ])('somebody who does not step back at %s', (stage, next, statuses, ms) => {
    const one = upTo(stage);
    one.see([near(rising, ms)]);
    expect(one.view()).toMatchObject({ stage: next, statuses });
  });
  it('near and clear that look alike are told as that', () => {
    const one = upTo('near');
    // Away from the clear reading, and so unsteady that nothing can be told.
    one.see([{ raw: 900, noise: 800, ms: 31_000 }]);
    expect(one.view()).toMatchObject({ stage: 'wave_baseline', statuses: { presence: 'not_distinguishable' } });
  });
  it('presence that could not be told leaves a wave that can be saved alone', () => {
    const one = upTo('near');
    one.see([
      clear(rising, 30_100),
      clear(rising, 13_200),
      ...wave(rising),
      ...wave(rising),
      ...wave(rising),
      ...wave(rising),
    ]);
    expect(one.view()).toMatchObject({
      stage: 'review',
      statuses: { presence: 'not_detected', wave: 'validated' },
      candidate: { presence: null },
    });
    expect(one.view().candidate?.wave).not.toBeNull();
  });
  it('nothing that could be told leaves nothing to save', () => {
    const one = upTo('near');
    one.see([clear(rising, 30_100), clear(rising, 13_200), clear(rising, 45_200)]);
    expect(one.view()).toMatchObject({ stage: 'review', candidate: null });
    one.ask('saved');
    expect(one.view().stage).toBe('review');
  });
  it('the whole session has five minutes', () => {
    const one = upTo('review');
    one.see([clear(rising, START + 299_900 - one.at())]);
    expect(one.view().stage).toBe('review');
    one.see([clear(rising, 300)]);
    expect(one.view()).toMatchObject({ stage: 'timed_out', reason: 'session-limit' });
  });
  it('a page that is silent for 30 s is gone', () => {
    const one = rig();
    one.see([clear(rising, 29_900)], true);
    expect(one.view().stage).toBe('intro');
    one.see([clear(rising, 200)], true);
    expect(one.view()).toMatchObject({ stage: 'timed_out', reason: 'page-gone' });
  });
});

describe('what fails it', () => {
  it.each(['intro', 'clear', 'near', 'return', 'wave_baseline', 'wave_capture', 'waves', 'review'] as const)(
    'at %s: a reading that is none, a clock that goes back, a person who stops',
    (stage) => {
      const broken = upTo(stage);
      broken.seeAt(Number.NaN, broken.at());
      expect(broken.view()).toMatchObject({ stage: 'failed', reason: 'bad-reading' });
      const back = upTo(stage);
      back.seeAt(40, back.at() - 60_000);
      expect(back.view()).toMatchObject({ stage: 'failed', reason: 'clock-went-back' });
      const stopped = upTo(stage);
      stopped.ask('cancel');
      expect(stopped.view()).toMatchObject({ stage: 'cancelled', candidate: null, cue: null });
      stopped.ask('begin');
      stopped.see([clear(rising, 400_000)]);
      expect(stopped.view().stage).toBe('cancelled');
    },
  );
});

describe('what the page asks for', () => {
  const capture = { median: 0, spread: 0, low: 0, high: 0 };
  const at = (stage: Stage): Session => ({
    ...startSession('one', START, true),
    stage,
    clear: capture,
    near: { ...capture, median: 1 },
    statuses: { presence: 'validated', wave: 'not_detected' },
  });
  const moves: Readonly<Record<'begin' | 'heartbeat' | 'cancel' | 'saved', Partial<Record<Stage, Stage>>>> = {
    begin: { intro: 'clear' },
    heartbeat: {},
    cancel: Object.fromEntries(everyStage.slice(0, everyStage.indexOf('saved')).map((stage) => [stage, 'cancelled'])),
    saved: { review: 'saved' },
  };
  it.each(
    (['begin', 'heartbeat', 'cancel', 'saved'] as const).flatMap((command) =>
      everyStage.map((stage) => [command, stage, moves[command][stage] ?? stage] as const),
    ),
  )('%s at %s leads to %s', (command, stage, next) =>
    expect(commandSession(at(stage), command, START, rules).stage).toBe(next),
  );
  it('ends nothing as saved where there is nothing to save', () => {
    const empty: Session = { ...at('review'), statuses: { presence: 'not_detected', wave: 'not_detected' } };
    expect(commandSession(empty, 'saved', START, rules).stage).toBe('review');
  });
});
