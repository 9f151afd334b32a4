import { describe, expect, it, onTestFinished } from 'vitest';

import type { RoomOptions, SourceHandlers } from '#drivers/auto-brightness/contract.ts';
import type { MinuteKey } from '#drivers/auto-brightness/minute-files.ts';
import { roomDriver } from '#drivers/auto-brightness/room.ts';
import { chartOf } from '#machines/auto-brightness/chart.ts';
import type {
  ChartOutcome,
  DisplayView,
  ForgetOutcome,
  LightMinute,
  LightSource,
  Place,
  RoomCommand,
  RoomFact,
  StoredRoom,
} from '#machines/auto-brightness/events.ts';
import { type Fit, fitMinutes } from '#machines/auto-brightness/fit.ts';
import { followRoom } from '#machines/auto-brightness/follow.ts';
import { minutesOf } from '#machines/auto-brightness/minutes.ts';
import type { RecordedLight } from '#machines/home-assistant/events.ts';
import { settle } from '#test/fakes/kit-clock.ts';
import { steppedClock } from '#test/fakes/sample-clock.ts';

import { runDriver } from '../run-driver.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const home: Place = { latitude: 52.1, longitude: 5.2, timeZone: 'Europe/Amsterdam' };
const display: DisplayView = { id: 'screen', route: 'backlight', lit: true, level: 255, changed: null };
const settings = { minimumPercent: 4, maximumPercent: 100, responsePercent: 50 };

/** What the driver is given, all of it in memory, with a clock that stands until it is moved on. */
function rig(
  more: { readonly stored?: StoredRoom; readonly place?: Place | null; readonly origin?: string | null } = {},
) {
  const clock = steppedClock(Date.UTC(2026, 10, 26, 12));
  const started = clock.now();
  const files = new Map<string, LightMinute[]>();
  const keyOf = ({ source, origin, place }: MinuteKey): string => JSON.stringify([source, origin, place]);
  let fault: string | null = null;
  let observed: { source: LightSource; handlers: SourceHandlers; isOver: boolean }[] = [];
  let kept: StoredRoom = more.stored ?? { preference: null, place: null };
  let keeps = 0;
  let asked: string[] = [];
  let place: Place | null = more.place ?? null;
  let origin: string | null = more.origin ?? null;
  let light: readonly RecordedLight[] | null = null;
  let isOff = false;
  let timers = 0;
  const options: RoomOptions<Fit> = {
    model: { follow: followRoom, fit: fitMinutes, chart: chartOf, recorded: minutesOf },
    observe: (source, handlers) => {
      const one = { source, handlers, isOver: false };
      observed = [...observed, one];
      return () => {
        one.isOver = true;
      };
    },
    files: {
      open: async (key) => ({
        read: async () => [...(files.get(keyOf(key)) ?? [])],
        append: async (rows) => {
          if (fault !== null) return fault;
          files.set(keyOf(key), [...(files.get(keyOf(key)) ?? []), ...rows]);
          return null;
        },
        forget: async () => {
          if (fault !== null) return fault;
          files.delete(keyOf(key));
          return null;
        },
      }),
    },
    home: {
      origin: () => origin,
      place: async () => {
        asked = [...asked, 'place'];
        return place;
      },
      light: async (entityId) => {
        asked = [...asked, entityId];
        return light;
      },
    },
    store: () => ({
      recall: (take) => take(kept),
      keep: (stored) => {
        keeps += 1;
        kept = stored;
      },
      end: async () => {},
    }),
    isTurnedOff: () => isOff,
    now: clock.now,
    elapsed: () => clock.now() - started,
    after: (ms, fn) => {
      timers += 1;
      let isOver = false;
      const end = (): void => {
        if (!isOver) timers -= 1;
        isOver = true;
      };
      const cancel = clock.after(ms, () => {
        end();
        fn();
      });
      return () => {
        end();
        cancel();
      };
    },
  };
  const driver = runDriver<RoomCommand, RoomFact>(roomDriver(options));
  onTestFinished(() => driver.stop());
  const current = () => {
    const one = observed.findLast(({ isOver }) => !isOver);
    if (one === undefined) throw new Error('nothing is observed');
    return one;
  };
  return {
    driver,
    clock,
    files,
    observed: () => observed,
    sample: (lux: number) => current().handlers.onSample(lux),
    current,
    kept: () => kept,
    keeps: () => keeps,
    asked: () => asked,
    timers: () => timers,
    refuse: (code: string | null) => void (fault = code),
    at: (next: Place | null, from: string | null = 'http://home:8123') => {
      place = next;
      origin = from;
    },
    recorded: (next: readonly RecordedLight[] | null) => void (light = next),
    turnOff: () => void (isOff = true),
    view: () => {
      const decided = driver.facts.findLast((fact) => fact.type === 'room.decided');
      if (decided === undefined) throw new Error('nothing was decided');
      return decided.view;
    },
    /** Settings, one display and a source: the panel's own without an entity. */
    begin: async (entityId = '') => {
      driver.tell({ type: 'room.settings', settings, entityId });
      driver.tell({ type: 'room.displays', displays: [display] });
      await settle();
    },
    /** Moves on, with what is read and written meanwhile. */
    pass: async (ms: number, stepMs = MINUTE) => {
      for (let gone = 0; gone < ms; gone += stepMs) {
        clock.pass(Math.min(stepMs, ms - gone));
        // oxlint-disable-next-line no-await-in-loop -- one step after another
        await settle();
      }
    },
  };
}

type Rig = ReturnType<typeof rig>;
const adjusted = ({ driver }: Rig) => driver.facts.filter((fact) => fact.type === 'room.adjust');
async function answer({ driver }: Rig, requestId: string): Promise<ForgetOutcome | ChartOutcome> {
  type Answered = Extract<RoomFact, { readonly type: 'room.forgotten' | 'room.drawn' }>;
  const isAnswer = (fact: RoomFact): fact is Answered =>
    (fact.type === 'room.forgotten' || fact.type === 'room.drawn') && fact.requestId === requestId;
  return (await driver.until(isAnswer)).outcome;
}

describe('the driver of the room', () => {
  it('watches the panel’s own sensor or an entity, and one at a time', async () => {
    const one = rig();
    await one.begin();
    expect(one.observed()).toMatchObject([{ source: { kind: 'panel' }, isOver: false }]);
    one.driver.tell({ type: 'room.settings', settings, entityId: '' });
    expect(one.observed()).toHaveLength(1);
    one.driver.tell({ type: 'room.settings', settings, entityId: 'sensor.hall' });
    expect(one.observed()).toMatchObject([
      { isOver: true },
      { source: { kind: 'home_assistant', entityId: 'sensor.hall' }, isOver: false },
    ]);
    one.observed()[0]?.handlers.onSample(9);
    await one.pass(1000, 1000);
    expect(one.view()).toMatchObject({ sourceRevision: 2, latestLux: null, why: 'starting' });
  });

  it('decides by one timer, and has none once it ended', async () => {
    const one = rig();
    await one.begin();
    one.sample(100);
    await one.pass(1000, 250);
    expect(adjusted(one)).toHaveLength(1);
    expect(one.timers()).toBe(1);
    await one.pass(HOUR);
    expect(one.timers()).toBe(1);
    one.driver.stop();
    await one.driver.settled();
    expect(one.timers()).toBe(0);
    expect(one.observed().every(({ isOver }) => isOver)).toBe(true);
  });

  it('keeps minutes every eight minutes, and the rest at the end', async () => {
    const one = rig();
    await one.begin();
    one.sample(100);
    await one.pass(7 * MINUTE);
    expect([...one.files.values()].flat()).toEqual([]);
    await one.pass(2 * MINUTE);
    expect([...one.files.values()].flat().length).toBeGreaterThanOrEqual(7);
    await one.pass(90_000, 30_000);
    one.driver.stop();
    await one.driver.settled();
    const kept = [...one.files.values()].flat();
    expect(kept.reduce((sum, { coveredMs }) => sum + coveredMs, 0)).toBeCloseTo(10.5 * MINUTE, -4);
  });

  it('goes on deciding while the disk is full, and writes later', async () => {
    const one = rig();
    await one.begin();
    one.refuse('ENOSPC');
    one.sample(100);
    await one.pass(11 * MINUTE);
    expect(one.view()).toMatchObject({ historyFault: 'ENOSPC', state: 'following' });
    const before = adjusted(one).length;
    one.sample(5000);
    await one.pass(5 * MINUTE);
    expect(adjusted(one).length).toBeGreaterThan(before);
    one.refuse(null);
    await one.pass(11 * MINUTE);
    expect(one.view().historyFault).toBeNull();
    expect([...one.files.values()].flat().length).toBeGreaterThan(15);
  });

  it('reads what it kept, and learns from it', async () => {
    const one = rig();
    const key = JSON.stringify([{ kind: 'panel' }, null, null]);
    const minute = Math.floor(one.clock.now() / MINUTE);
    const rows = Array.from({ length: 3 * 1440 }, (_, back) =>
      minutesOf({ minute: minute - 3 * 1440 + back, minutes: 1, mean: 300, min: 300, max: 300 }),
    );
    one.files.set(key, rows.flat());
    await one.begin();
    one.sample(300);
    await one.pass(1000, 250);
    await one.driver.until((fact): fact is Extract<RoomFact, { type: 'room.decided' }> => {
      one.clock.pass(250);
      return fact.type === 'room.decided' && fact.view.coveredDays === 4;
    });
  });

  it('keeps a preference, and drops it only if it is turned off', async () => {
    const stored = {
      origin: 'system',
      requested: 200,
      automaticAtStart: 80,
      startedAt: Date.UTC(2026, 10, 26, 11),
    } as const;
    for (const isOff of [false, true]) {
      const one = rig({ stored: { preference: stored, place: home } });
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await one.begin();
      one.sample(100);
      // oxlint-disable-next-line no-await-in-loop -- as above
      await one.pass(1000, 250);
      expect(one.view()).toMatchObject({ state: 'preferred', preference: { requested: 200 } });
      if (isOff) one.turnOff();
      one.driver.stop();
      // oxlint-disable-next-line no-await-in-loop -- as above
      await one.driver.settled();
      expect(one.kept()).toEqual({ preference: isOff ? null : stored, place: home });
    }
  });

  it('asks where the house is once a day, if there is a Home Assistant', async () => {
    const one = rig();
    await one.begin();
    one.sample(100);
    await one.pass(HOUR);
    expect(one.asked()).toEqual([]);
    one.at(null);
    await one.pass(10 * MINUTE);
    // At once, after one minute and after five more.
    expect(one.asked().length).toBe(3);
    one.at(home);
    await one.pass(HOUR);
    expect(one.kept().place).toEqual(home);
    // The first place that becomes known is no other place: nothing was lost.
    expect(one.view().sourceRevision).toBe(1);
    const before = one.asked().length;
    await one.pass(23 * HOUR, 10 * MINUTE);
    expect(one.asked()).toHaveLength(before);
    one.at({ ...home, latitude: 40 });
    await one.pass(2 * HOUR, 10 * MINUTE);
    expect(one.view().sourceRevision).toBe(2);
    expect(one.kept().place?.latitude).toBe(40);
    expect([...one.files.keys()]).toHaveLength(3);
    const [nowhere = [], here = []] = [...one.files.values()].map((rows) => rows.map(({ minute }) => minute));
    expect(nowhere.length).toBeGreaterThan(60);
    expect(here).toEqual(expect.arrayContaining(nowhere));
    // Each once.
    expect(new Set(here).size).toBe(here.length);
  });

  it('seeds an entity without history from the records of Home Assistant', async () => {
    const one = rig({ stored: { preference: null, place: home } });
    one.at(home);
    const minute = Math.floor(one.clock.now() / MINUTE);
    await one.begin('sensor.hall');
    await one.pass(30_000, 10_000);
    expect(one.asked()).toContain('sensor.hall');
    one.recorded([
      { minute: minute - 100, minutes: 5, mean: 10, min: 1, max: 20 },
      { minute: minute + 60, minutes: 5, mean: 10, min: 1, max: 20 },
    ]);
    one.sample(100);
    await one.pass(10 * MINUTE);
    const [kept = []] = [...one.files.values()];
    expect(kept.filter((row) => row.minute < minute)).toHaveLength(5);
    expect(kept.some((row) => row.minute > minute + 30)).toBe(false);
    const before = one.asked().length;
    await one.pass(3 * HOUR, 10 * MINUTE);
    expect(one.asked().filter((of) => of !== 'place')).toHaveLength(before - 1);
  });

  it('keeps all seven days that Home Assistant has recorded', async () => {
    const one = rig({ stored: { preference: null, place: home } });
    one.at(home);
    const first = Math.floor(one.clock.now() / MINUTE) - 10_080;
    one.recorded(
      Array.from({ length: 2016 }, (_, index) => ({ minute: first + index * 5, minutes: 5, mean: 9, min: 1, max: 20 })),
    );
    await one.begin('sensor.hall');
    await one.pass(30_000, 10_000);
    const [kept = []] = [...one.files.values()];
    expect(kept).toHaveLength(10_080);
  });

  it('starts again when the entity is of another Home Assistant or account', async () => {
    const one = rig();
    await one.begin('sensor.hall');
    one.sample(100);
    await one.pass(1000, 250);
    one.current().handlers.onChanged();
    await one.pass(1000, 250);
    expect(one.view()).toMatchObject({ sourceRevision: 2, latestLux: null });
    expect(one.observed()).toHaveLength(2);
  });

  it('forgets what it learned, unless the disk refuses or there is nothing', async () => {
    const one = rig();
    await one.begin();
    one.sample(100);
    await one.pass(11 * MINUTE);
    one.refuse('EROFS');
    one.driver.tell({ type: 'room.forget', requestId: 'a' });
    expect(await answer(one, 'a')).toMatchObject({ ok: false, reason: 'not-kept' });
    one.refuse(null);
    one.driver.tell({ type: 'room.forget', requestId: 'b' });
    expect(await answer(one, 'b')).toEqual({ ok: true, value: null });
    expect([...one.files.values()].flat()).toEqual([]);
    one.current().handlers.onSilent('no-source');
    one.driver.tell({ type: 'room.forget', requestId: 'c' });
    expect(await answer(one, 'c')).toMatchObject({ reason: 'no-source' });
  });

  it('draws one chart at a time, with values that are not saved', async () => {
    const one = rig();
    await one.begin();
    one.sample(100);
    await one.pass(HOUR);
    const preview = { minimumPercent: 50 };
    one.driver.tell({ type: 'room.chart', requestId: 'a', hours: 24, preview });
    one.driver.tell({ type: 'room.chart', requestId: 'b', hours: 24, preview: {} });
    expect(await answer(one, 'b')).toMatchObject({ ok: false, reason: 'busy' });
    const drawn = await answer(one, 'a');
    expect(drawn).toMatchObject({ ok: true, value: { sourceRevision: 1, settings: { ...settings, ...preview } } });
    expect(drawn.ok && drawn.value?.points.some(({ observedMeanLux }) => observedMeanLux !== null)).toBe(true);
    one.driver.tell({ type: 'room.chart', requestId: 'c', hours: 1, preview: {} });
    expect(await answer(one, 'c')).toMatchObject({ ok: true });
    one.current().handlers.onSilent('no-source');
    one.driver.tell({ type: 'room.chart', requestId: 'd', hours: 1, preview: {} });
    expect(await answer(one, 'd')).toMatchObject({ reason: 'no-source' });
  });
});

it('holds the level to night’s, as long as that counts', async () => {
  const one = rig();
  await one.begin();
  one.sample(10_000);
  await one.pass(MINUTE);
  const free = one.view().appliedTarget;
  one.driver.tell({ type: 'room.ceiling', level: 51 });
  await one.pass(1000, 250);
  expect(one.view()).toMatchObject({ appliedTarget: 51, heldTo: 51 });
  expect(adjusted(one).at(-1)).toMatchObject({ screen: 'screen', level: 51 });
  one.driver.tell({ type: 'room.ceiling', level: null });
  await one.pass(1000, 250);
  expect(one.view()).toMatchObject({ appliedTarget: free, heldTo: null });
});
