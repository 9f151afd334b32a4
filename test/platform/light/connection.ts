import { afterAll, beforeAll, expect, it } from 'vitest';

import { amount } from '#test/fakes/amount.ts';
import type { HomeClient } from '../home-assistant/client.ts';
import type { Home } from '../home-assistant/home.ts';
import { connectPanel, type PanelConnection } from '../kit/panel-connection.ts';
import { until } from '../kit/until.ts';
import { light, type Lit, lit, MEASURED, minute, SET, STATED } from './lit.ts';

/** Where the house is (`folder.ts`). */
const PLACE = { kind: 'place', latitude: 52, longitude: 5, timeZone: 'Europe/Amsterdam' };
/** Hours of states that are read at once. */
const HOURS = amount(7, 49);

let home: Home;
let client: HomeClient;
let set: Lit['set'];
let remove: Lit['remove'];
let panel: PanelConnection;

beforeAll(async () => {
  ({ home, set, remove } = await lit());
  client = await home.client();
  await set('12.5');
  panel = await connectPanel(home.url);
});
afterAll(() => panel?.stop());

it('is offered by its sensors, with one list of states for all that ask', async () => {
  const asked = Array.from({ length: 1000 }, () => panel.ask({ kind: 'light-sensors' }));
  for (const id of asked) {
    // oxlint-disable-next-line no-await-in-loop -- all are there with the first
    expect(await panel.answer(id)).toMatchObject({
      ok: true,
      reading: {
        sensors: [{ entityId: SET, name: 'Hall light', unit: 'lx', lux: 12.5, updatedAt: expect.any(Number) }],
      },
    });
  }
  await client.post(`/api/states/${SET}`, { state: '13', attributes: light });
  expect(await panel.read({ kind: 'light-sensors' })).toMatchObject({ sensors: [{ lux: 12.5 }] });
});

it('is of a place that no inspector shows', async () => {
  expect(await panel.read({ kind: 'place' })).toEqual(PLACE);
  panel.watch({ kind: 'place' });
  await until('it is said', () => panel.said.some(({ kind }) => kind === 'place'));
  await client.call('config/core/update', { longitude: 6.04 });
  await until('the change is said', () =>
    panel.said.some((reading) => reading.kind === 'place' && reading.longitude === 6),
  );
  panel.watch();
  const shown = JSON.stringify([panel.inspector.records(), panel.context()]);
  expect(shown).not.toMatch(/latitude|Amsterdam/);
  expect(shown).toContain('socket.read-out');
});

it('is known of the past by statistics', async () => {
  const reading = await panel.read({ kind: 'light-history', entityId: MEASURED, days: 7 });
  const first = minute - (minute % 5) - 50;
  expect(reading).toEqual({
    kind: 'light-history',
    entityId: MEASURED,
    light: Array.from({ length: 10 }, (_, row) => ({
      minute: first + row * 5,
      minutes: 5,
      mean: row + 0.5,
      min: row,
      max: row + 1,
    })),
  });
});

it('is known of the past by its states where there are no statistics', async () => {
  const reading = await panel.read({ kind: 'light-history', entityId: STATED, days: 1 });
  const rows = reading.kind === 'light-history' ? reading.light : [];
  const of = (ago: number) => rows.find((row) => row.minute === minute - ago);
  // Since before that day, until it changed.
  expect(of(1000)).toEqual({ minute: minute - 1000, minutes: 1, mean: 10, min: 10, max: 10 });
  expect(of(121)).toMatchObject({ mean: 10 });
  expect(of(120)).toMatchObject({ mean: 40 });
  expect(of(119)).toMatchObject({ mean: 60, min: 40, max: 80 });
  expect(of(61)).toMatchObject({ mean: 80 });
  expect([of(60), of(31)]).toEqual([undefined, undefined]);
  expect(of(30)).toMatchObject({ mean: 100_000 });
  expect(rows.length).toBeGreaterThan(1300);
  expect(await panel.read({ kind: 'light-history', entityId: 'sensor.nowhere', days: 1 })).toMatchObject({
    light: [],
  });
});

it('is known of the past by the states themselves, of several entities', async () => {
  const at = (minutes: number): number => (minute - minutes) * 60_000;
  const range = { from: at(180), to: Date.now() };
  const entityIds = [STATED, 'sensor.nowhere'];
  expect(await panel.read({ kind: 'state-history', entityIds, ...range })).toEqual({
    kind: 'state-history',
    entities: [
      {
        entityId: STATED,
        states: [
          { state: '10', at: at(180) },
          { state: '40', at: at(120) },
          { state: '80', at: at(119) + 30_000 },
          { state: 'unavailable', at: at(60) },
          { state: '250000', at: at(30) },
        ],
      },
      { entityId: 'sensor.nowhere', states: [] },
    ],
    isCut: false,
  });
  const since = performance.now();
  const longest = await panel.read({
    kind: 'state-history',
    entityIds,
    from: Date.now() - HOURS * 3_600_000,
    to: Date.now(),
  });
  console.log(`${HOURS} hours of states in ${Math.round(performance.now() - since)} ms`);
  expect(longest).toMatchObject({ entities: [{ states: { length: 5 } }, { states: [] }], isCut: false });
});

it('is followed through a changed unit and its absence', async () => {
  const from = panel.said.length;
  const heard = () =>
    panel.said
      .slice(from)
      .flatMap((reading) => (reading.kind === 'entity' ? [[reading.state, reading.deviceClass, reading.unit]] : []));
  const step = async (what: string, act: () => Promise<unknown>, last: readonly (string | null)[]) => {
    await act();
    await until(what, () => JSON.stringify(heard().at(-1)) === JSON.stringify(last));
  };
  const watched = { kind: 'entity', entityId: SET } as const;
  await step('watched', () => Promise.resolve(panel.watch(watched)), ['13', 'illuminance', 'lx']);
  await step('another value', () => set('20'), ['20', 'illuminance', 'lx']);
  await step('another unit', () => set('20', { ...light, unit_of_measurement: 'klx' }), ['20', 'illuminance', 'klx']);
  await step('no unit', () => set('20', {}), ['20', null, null]);
  await step('its unit again', () => set('21'), ['21', 'illuminance', 'lx']);
  await step('unavailable', () => set('unavailable'), ['unavailable', 'illuminance', 'lx']);
  await step('gone', remove, [null, null, null]);
  await step('back', () => set('22'), ['22', 'illuminance', 'lx']);
  panel.watch();
});
