import { describe, expect, it } from 'vitest';

import { lightSensorsIn } from '#drivers/home-assistant/light-sensors.ts';
import { boundedLux, luxOf } from '#drivers/home-assistant/lux.ts';
import { placeIn } from '#drivers/home-assistant/place.ts';

const state = (id: string, value: unknown, attributes: object = {}) => ({
  entity_id: id,
  state: value,
  attributes: { unit_of_measurement: 'lx', ...attributes },
  last_updated: '2026-11-26T11:25:05+00:00',
});
const ids = (...states: readonly unknown[]): readonly string[] =>
  lightSensorsIn(states).map(({ entityId }) => entityId);

describe('the light sensors among all states', () => {
  it.each<[string, unknown, boolean]>([
    ['by its unit', state('sensor.one', '5'), true],
    [
      'by its device class',
      state('sensor.one', '5', { unit_of_measurement: undefined, device_class: 'illuminance' }),
      true,
    ],
    ['in another unit', state('sensor.one', '5', { unit_of_measurement: 'W/m²' }), false],
    ['of another domain', state('number.one', '5'), false],
    ['whose domain only begins alike', state('sensors.one', '5'), false],
    ['with an id that is none', state('sensor.One', '5'), false],
    ['without an id', state('', '5'), false],
    ['that is no object', 'sensor.one', false],
    ['without attributes', { entity_id: 'sensor.one', state: '5' }, false],
  ])('one %s', (_, row, isOne) => expect(ids(row)).toEqual(isOne ? ['sensor.one'] : []));

  it.each<[unknown, object, number | null]>([
    ['12.5', {}, 12.5],
    ['0', {}, 0],
    ['-3', {}, 0],
    ['250000', {}, 100_000],
    ['1.2e3', {}, 1200],
    ['unavailable', {}, null],
    ['unknown', {}, null],
    ['', {}, null],
    ['0x10', {}, null],
    ['nan', {}, null],
    ['1e999', {}, null],
    [12, {}, null],
    ['12', { unit_of_measurement: 'klx', device_class: 'illuminance' }, null],
    ['12', { unit_of_measurement: null, device_class: 'illuminance' }, null],
  ])('%j %j are %j lx', (value, attributes, lux) =>
    expect(lightSensorsIn([state('sensor.one', value, attributes)])).toMatchObject([{ lux }]),
  );

  it('have a clean name, a unit, and the time of their last update', () => {
    const [one, two] = lightSensorsIn([
      state('sensor.one', '1', { friendly_name: 'Hall\u202E\nlight' }),
      { ...state('sensor.two', '1', { unit_of_measurement: 7, device_class: 'illuminance' }), last_updated: 'today' },
    ]);
    expect(one).toEqual({
      entityId: 'sensor.one',
      name: 'Hall  light',
      unit: 'lx',
      lux: 1,
      updatedAt: Date.UTC(2026, 10, 26, 11, 25, 5),
    });
    expect(two).toMatchObject({ name: '', unit: '', updatedAt: null });
  });

  it('are at most 200, those with a usable number first, in the order of Home Assistant', () => {
    const rows = Array.from({ length: 300 }, (_, at) => state(`sensor.s${at}`, at % 3 === 0 ? String(at) : 'unknown'));
    const found = ids(...rows);
    expect(found).toHaveLength(200);
    expect(found.slice(0, 100)).toEqual(rows.filter((_, at) => at % 3 === 0).map(({ entity_id: id }) => id));
    expect(found.slice(100, 102)).toEqual(['sensor.s1', 'sensor.s2']);
  });

  it.each([[null], [{}], ['text'], [7]])('are none in %j', (answer) => expect(lightSensorsIn(answer)).toEqual([]));
});

describe('a number of lux', () => {
  it.each<[unknown, number | null]>([
    [5, 5],
    [-0.5, 0],
    [1e9, 100_000],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
    ['5', null],
    [null, null],
  ])('%j is %j', (value, lux) => expect(boundedLux(value)).toBe(lux));

  it('is held inside its bounds in a state too', () => expect([luxOf('-1'), luxOf('100001')]).toEqual([0, 100_000]));
});

describe('the place of the house', () => {
  it.each<[unknown, number | null, number | null, string | null]>([
    [{ latitude: 52.3731, longitude: 4.8903, time_zone: 'Europe/Amsterdam' }, 52.4, 4.9, 'Europe/Amsterdam'],
    [{ latitude: -33.86, longitude: 151.21, time_zone: 'UTC' }, -33.9, 151.2, 'UTC'],
    [{ latitude: -0.04, longitude: 0.04, time_zone: 'Etc/GMT+5' }, 0, 0, 'Etc/GMT+5'],
    [{ latitude: 90, longitude: -180, time_zone: 'Nowhere/City' }, 90, -180, null],
    [{ latitude: 90.01, longitude: 5, time_zone: '+02:00' }, null, null, null],
    [{ latitude: 52, longitude: 180.01, time_zone: '' }, null, null, null],
    [{ latitude: 52, time_zone: `Europe/${'A'.repeat(300)}` }, null, null, null],
    [{ latitude: '52', longitude: 5, time_zone: 7 }, null, null, null],
    [{ latitude: Number.NaN, longitude: 5, time_zone: 'Europe/Berlin' }, null, null, 'Europe/Berlin'],
    [null, null, null, null],
    [[], null, null, null],
  ])('of %j is %j, %j in %j', (config, latitude, longitude, timeZone) =>
    expect(placeIn(config)).toEqual({ kind: 'place', latitude, longitude, timeZone }),
  );
});
