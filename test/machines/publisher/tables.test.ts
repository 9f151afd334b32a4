import { describe, expect, it } from 'vitest';

import { entityRows } from '#machines/entities.ts';
import { panelOf as entityPanelOf, type PanelParts } from '#machines/entities/panel.ts';
import { readRow, sameRowValue } from '#machines/entities/row-value.ts';
import { shapeOf, type RowShape } from '#machines/entities/shape.ts';
import type { AnyRow, EntityRow } from '#machines/kit/entity.ts';
import type { SnapshotView } from '#machines/kit/snapshot.ts';
import { changedMessages, rowMessages } from '#machines/publisher/announcement.ts';
import { parseCommand } from '#machines/publisher/command.ts';
import { nothingAnnounced } from '#machines/publisher/announced.ts';
import { checkPanel, componentOf } from '#machines/publisher/discovery.ts';
import type { PublishedPanel, RowPayloads } from '#machines/publisher/events.ts';
import { decideOwner } from '#machines/publisher/owner.ts';
import { encodeRow } from '#machines/publisher/state.ts';
import { meaningOf } from '#machines/publisher/topics.ts';
import { refusalOfComponent } from '#machines/publisher/validate.ts';

const shape = (over: Partial<RowShape> & Pick<RowShape, 'entityKind'>): RowShape => ({
  key: 'it',
  name: 'It',
  attributes: false,
  ...over,
});
const snapshot = (context: unknown): SnapshotView => ({ value: 'active', context });

const announcer = { panelId: 'hall', installId: 'a'.repeat(32) };
const parts: PanelParts = {
  identity: {
    panelId: 'hall',
    installId: 'a'.repeat(32),
    friendlyName: 'Hall',
    manufacturer: '',
    model: '',
    version: '0.2.0-dev',
  },
  expose: Object.fromEntries(entityRows.map((row) => [row.expose ?? '', true])),
  absent: [],
  hidden: [],
  modes: {},
  address: 'fe80::1',
  port: 8888,
};
const panelOf = (rows: readonly AnyRow[], of: PanelParts): PublishedPanel => ({
  ...entityPanelOf(rows, of, 'mqtt'),
  prefix: 'homeassistant',
});

describe('parseCommand', () => {
  const light = shape({ entityKind: 'light' });
  const led = shape({ entityKind: 'light', modes: { colour: 'rgb', effects: ['none', 'blink'] } });
  const number = shape({ entityKind: 'number', range: { min: 0, max: 100, step: 5 } });
  it.each<[string, RowShape, string, unknown]>([
    ['on', light, '{"state":"ON"}', { on: true }],
    ['off', light, '{"state":"OFF"}', { on: false }],
    ['off drops the level', light, '{"state":"OFF","brightness":7}', { on: false }],
    ['level', light, '{"state":"ON","brightness":128}', { on: true, brightness: 128 }],
    ['level alone', light, '{"brightness":3}', { brightness: 3 }],
    ['zero', light, '{"state":"ON","brightness":0}', { on: true, brightness: 0 }],
    ['with extras', light, '{"state":"ON","transition":2}', { on: true }],
    [
      'colour',
      led,
      '{"state":"ON","color":{"r":255,"g":128,"b":0},"brightness":9}',
      { on: true, brightness: 9, rgb: { red: 255, green: 128, blue: 0 } },
    ],
    [
      'colour and what is beside it',
      led,
      '{"state":"ON","color":{"r":1,"g":2,"b":3,"h":4,"x":"y"}}',
      { on: true, rgb: { red: 1, green: 2, blue: 3 } },
    ],
    ['effect', led, '{"state":"ON","effect":"blink"}', { on: true, effect: 'blink' }],
    ['effect alone', led, '{"effect":"none"}', { effect: 'none' }],
    ['off drops colour and effect', led, '{"state":"OFF","color":{"r":1,"g":2,"b":3},"effect":"blink"}', { on: false }],
    ['effect unknown', led, '{"state":"ON","effect":"rainbow"}', 'not-an-option'],
    ['effect of a light without any', light, '{"state":"ON","effect":"blink"}', 'not-an-option'],
    ['effect no text', led, '{"state":"ON","effect":1}', 'malformed'],
    ['colour of a light without any', light, '{"state":"ON","color":{"r":1,"g":2,"b":3}}', 'malformed'],
    ['colour too high', led, '{"state":"ON","color":{"r":256,"g":2,"b":3}}', 'malformed'],
    ['colour in part', led, '{"state":"ON","color":{"r":25,"g":2}}', 'malformed'],
    ['colour otherwise', led, '{"state":"ON","color":{"h":25,"s":2}}', 'malformed'],
    ['colour as null', led, '{"state":"ON","color":null}', 'malformed'],
    ['colour as list', led, '{"state":"ON","color":[1,2,3]}', 'malformed'],
    ['not json', light, 'ON', 'malformed'],
    ['nothing asked', light, '{}', 'malformed'],
    ['array', light, '[]', 'malformed'],
    ['null', light, 'null', 'malformed'],
    ['level too high', light, '{"brightness":256}', 'malformed'],
    ['level as text', light, '{"brightness":"77"}', 'malformed'],
    ['fraction', light, '{"brightness":1.5}', 'malformed'],
    ['below zero', light, '{"brightness":-1}', 'malformed'],
    ['level as null', light, '{"state":"ON","brightness":null}', 'malformed'],
    ['state as null', light, '{"state":null,"brightness":9}', 'malformed'],
    ['state otherwise', light, '{"state":"on"}', 'malformed'],
    ['a number alone', light, '7', 'malformed'],
    ['a text alone', light, '"ON"', 'malformed'],
    ['number', number, '40', 40],
    ['to the step', number, '42.9', 45],
    ['exponent', number, '1e1', 10],
    ['below', number, '-1', 'out-of-range'],
    ['above', number, '100.1', 'out-of-range'],
    ['NaN', number, 'NaN', 'malformed'],
    ['Infinity', number, 'Infinity', 'malformed'],
    ['hex', number, '0x10', 'malformed'],
    ['empty', number, '', 'malformed'],
    ['text', shape({ entityKind: 'text', maxLength: 4 }), 'äöü€', 'äöü€'],
    ['empty text', shape({ entityKind: 'text', maxLength: 4 }), '', ''],
    ['long text', shape({ entityKind: 'text', maxLength: 4 }), 'abcde', 'too-long'],
    ['switch', shape({ entityKind: 'switch' }), 'ON', true],
    ['switch', shape({ entityKind: 'switch' }), 'OFF', false],
    ['switch otherwise', shape({ entityKind: 'switch' }), 'on', 'malformed'],
    ['option', shape({ entityKind: 'select', options: ['a', 'b'] }), 'b', 'b'],
    ['no option', shape({ entityKind: 'select', options: ['a', 'b'] }), 'c', 'not-an-option'],
    ['press', shape({ entityKind: 'button' }), 'PRESS', null],
    ['not a press', shape({ entityKind: 'button' }), '', 'malformed'],
    ['sensor', shape({ entityKind: 'sensor' }), '1', 'not-commandable'],
    ['event', shape({ entityKind: 'event', eventTypes: ['press'] }), 'press', 'not-commandable'],
    ['image', shape({ entityKind: 'image' }), 'http://192.0.2.7/a.jpg', 'not-commandable'],
    ['huge', light, 'x'.repeat(5000), 'too-long'],
  ])('%s', (_, of, payload, expected) => {
    const parsed = parseCommand(of, payload);
    expect(parsed.ok ? parsed.value : parsed.reason).toEqual(expected);
  });
});

const encoded = (row: EntityRow, of: SnapshotView | undefined): RowPayloads =>
  encodeRow(row.entityKind, readRow(row, of));

describe('encodeRow', () => {
  const base = { key: 'it', name: 'It', actor: 'x', available: () => true };
  const row = (over: Record<string, unknown>): EntityRow =>
    // The test builds rows from parts; each is a whole row of its kind.
    ({
      ...base,
      read: (view: SnapshotView) => view.context,
      write: () => ({ ok: true, value: { type: 'x' } }),
      ...over,
    }) as unknown as EntityRow;
  it.each<[Record<string, unknown>, unknown, string | null]>([
    [{ entityKind: 'light' }, { on: true, brightness: 12.4 }, '{"state":"ON","brightness":12}'],
    [{ entityKind: 'light' }, { on: true, brightness: 300 }, '{"state":"ON","brightness":255}'],
    [{ entityKind: 'light' }, { on: true, brightness: null }, '{"state":"ON"}'],
    [{ entityKind: 'light' }, { on: false, brightness: 80 }, '{"state":"OFF"}'],
    [{ entityKind: 'light' }, null, '{"state":null}'],
    [
      { entityKind: 'light' },
      { on: true, brightness: 128, rgb: { red: 255, green: 300, blue: -1 }, effect: 'none' },
      '{"state":"ON","brightness":128,"color_mode":"rgb","color":{"r":255,"g":255,"b":0},"effect":"none"}',
    ],
    [
      { entityKind: 'light' },
      { on: true, brightness: 9, effect: 'blink' },
      '{"state":"ON","brightness":9,"effect":"blink"}',
    ],
    [
      { entityKind: 'light' },
      { on: false, brightness: null, rgb: { red: 1, green: 2, blue: 3 }, effect: 'none' },
      '{"state":"OFF"}',
    ],
    [{ entityKind: 'number', range: { min: 0, max: 10, step: 1 } }, 5, '5'],
    [{ entityKind: 'number', range: { min: 0, max: 10, step: 1 } }, 11, 'None'],
    [{ entityKind: 'number', range: { min: 0, max: 10, step: 1 } }, Number.NaN, 'None'],
    [{ entityKind: 'number', range: { min: 0, max: 10, step: 1 } }, null, 'None'],
    [{ entityKind: 'text', maxLength: 3 }, 'None', '{"value":"Non"}'],
    [{ entityKind: 'text', maxLength: 3 }, '', '{"value":""}'],
    [{ entityKind: 'text', maxLength: 3 }, null, null],
    [{ entityKind: 'switch' }, true, 'ON'],
    [{ entityKind: 'switch' }, null, 'None'],
    [{ entityKind: 'select', options: ['a'] }, 'a', 'a'],
    [{ entityKind: 'select', options: ['a'] }, 'b', 'None'],
    [{ entityKind: 'binary_sensor' }, false, 'OFF'],
    [{ entityKind: 'sensor' }, 'hello', 'hello'],
    [{ entityKind: 'sensor' }, '', 'None'],
    [{ entityKind: 'sensor' }, 'x'.repeat(300), 'x'.repeat(255)],
    [{ entityKind: 'sensor', unit: '%' }, 'abc', 'None'],
    [{ entityKind: 'sensor', unit: '%' }, Number.POSITIVE_INFINITY, 'None'],
    [{ entityKind: 'sensor', unit: '%' }, 7.5, '7.5'],
    [{ entityKind: 'sensor', deviceClass: 'timestamp' }, '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
    [{ entityKind: 'sensor', deviceClass: 'timestamp' }, '2026-01-01T00:00:00', 'None'],
    [{ entityKind: 'button' }, null, null],
    [{ entityKind: 'event', eventTypes: ['press'] }, [], null],
    [{ entityKind: 'image' }, { path: '/a.jpg', sequence: 1 }, null],
    [{ entityKind: 'image' }, null, null],
  ])('%o of %o', (of, context, expected) => {
    expect(encoded(row(of), snapshot(context)).state).toBe(expected);
  });
  it('is unavailable while its actor is absent', () => {
    expect(encoded(row({ entityKind: 'switch' }), undefined)).toEqual({
      state: null,
      available: false,
      attributes: null,
    });
  });
});

describe('what happened', () => {
  const of = shape({ entityKind: 'event', key: 'bell', eventTypes: ['press', 'release'] });
  const row = {
    entityKind: 'event',
    key: 'bell',
    name: 'Bell',
    actor: 'x',
    eventTypes: ['press', 'release'],
    available: () => true,
    read: (view: SnapshotView) => view.context,
  } as unknown as EntityRow;
  const read = (...sequences: readonly number[]) =>
    readRow(
      row,
      snapshot(sequences.map((sequence) => ({ sequence, type: 'press', attributes: { button: 'left', n: sequence } }))),
    );
  const value = (...sequences: readonly number[]) => encodeRow('event', read(...sequences));
  const absentValue = encodeRow('event', readRow(row, undefined));
  const told = (before: RowPayloads | undefined, after: RowPayloads): readonly unknown[] =>
    changedMessages('hall', of, before, after).flatMap((message) =>
      message.topic === 'sconce/hall/bell/state' ? [[message.retain, message.qos, JSON.parse(message.payload)]] : [],
    );
  const press = (n: number) => [false, 0, { button: 'left', n, event_type: 'press' }];

  it.each<[string, RowPayloads | undefined, RowPayloads, readonly unknown[]]>([
    ['each once, in order, not retained', value(1), value(1, 2, 3), [press(2), press(3)]],
    ['the first one', value(), value(1), [press(1)]],
    ['nothing twice', value(1, 2), value(1, 2), []],
    ['nothing from before anybody listened', undefined, value(1, 2), []],
    ['nothing from before its actor was there', absentValue, value(1), []],
    ['anew after a restart of its actor', value(7, 8), value(1), [press(1)]],
    ['nothing when its actor has started again', value(7, 8), value(), []],
  ])('is told: %s', (_, before, after, expected) => expect(told(before, after)).toEqual(expected));

  it('is no part of what a new connection is told', () => {
    expect(rowMessages('hall', of, value(1, 2)).map(({ topic }) => topic)).toEqual(['sconce/hall/bell/availability']);
  });

  it('is a change although the rest is the same, and of no other type than the row names', () => {
    expect(sameRowValue(read(1), read(1, 2))).toBe(false);
    expect(sameRowValue(read(1), read(1))).toBe(true);
    expect(encoded(row, snapshot([{ sequence: 1, type: 'shake', attributes: {} }])).occurrences).toEqual([]);
  });
});

describe('what Home Assistant would refuse', () => {
  const why = (over: Partial<RowShape> & Pick<RowShape, 'entityKind'>): string | null => {
    const of = shape(over);
    return refusalOfComponent(of.key, componentOf(announcer, of));
  };
  it.each<[Partial<RowShape> & Pick<RowShape, 'entityKind'>]>([
    [{ entityKind: 'light' }],
    [{ entityKind: 'light', modes: { colour: 'switch', effects: [] } }],
    [{ entityKind: 'light', modes: { colour: 'rgb', effects: ['none', 'blink'] } }],
    [{ entityKind: 'light', name: 'whole \ud83d\udca1' }],
    [{ entityKind: 'number', range: { min: 0, max: 1, step: 0.1 }, unit: '%' }],
    [{ entityKind: 'text', maxLength: 255 }],
    [{ entityKind: 'switch', category: 'config' }],
    [{ entityKind: 'select', options: ['a'] }],
    [{ entityKind: 'button', deviceClass: 'restart' }],
    [{ entityKind: 'sensor', deviceClass: 'temperature', unit: '°C', stateClass: 'measurement', precision: 1 }],
    [{ entityKind: 'sensor', deviceClass: 'timestamp', category: 'diagnostic' }],
    [{ entityKind: 'binary_sensor', deviceClass: 'problem' }],
    [{ entityKind: 'event', deviceClass: 'button', eventTypes: ['press', 'release'] }],
    [{ entityKind: 'image', icon: 'mdi:camera' }],
  ])('takes %o', (of) => {
    expect(why(of)).toBeNull();
  });
  it.each<[Partial<RowShape> & Pick<RowShape, 'entityKind'>]>([
    [{ entityKind: 'light', deviceClass: 'x' }],
    [{ entityKind: 'light', modes: { colour: 'rgb', effects: ['blink', 'blink'] } }],
    [{ entityKind: 'light', modes: { colour: 'rgb', effects: [''] } }],
    [{ entityKind: 'light', name: 'half \ud83d' }],
    [{ entityKind: 'select', options: ['\udc00'] }],
    [{ entityKind: 'light', key: 'with space' }],
    [{ entityKind: 'light', key: 'status' }],
    [{ entityKind: 'light', icon: 'lamp' }],
    [{ entityKind: 'light', name: '' }],
    [{ entityKind: 'number', range: { min: 1, max: 1, step: 1 } }],
    [{ entityKind: 'number', range: { min: 0, max: 1, step: 0 } }],
    [{ entityKind: 'number' }],
    [{ entityKind: 'text', maxLength: 256 }],
    [{ entityKind: 'select', options: [] }],
    [{ entityKind: 'select', options: ['a', 'a'] }],
    [{ entityKind: 'button', deviceClass: 'outlet' }],
    [{ entityKind: 'sensor', category: 'config' }],
    [{ entityKind: 'sensor', deviceClass: 'temperature', unit: 'C' }],
    [{ entityKind: 'sensor', deviceClass: 'illuminance', unit: 'lux' }],
    [{ entityKind: 'sensor', deviceClass: 'temperature' }],
    [{ entityKind: 'sensor', deviceClass: 'timestamp', unit: 's' }],
    [{ entityKind: 'sensor', deviceClass: 'timestamp', stateClass: 'measurement' }],
    [{ entityKind: 'sensor', deviceClass: 'nonsense' }],
    [{ entityKind: 'sensor', stateClass: 'sometimes' }],
    [{ entityKind: 'binary_sensor', deviceClass: 'doorbell' }],
    [{ entityKind: 'binary_sensor', category: 'config' }],
    [{ entityKind: 'event', eventTypes: [] }],
    [{ entityKind: 'event', eventTypes: ['press', 'press'] }],
    [{ entityKind: 'event', deviceClass: 'restart', eventTypes: ['press'] }],
    [{ entityKind: 'image', deviceClass: 'motion' }],
    [{ entityKind: 'image', category: 'config' }],
    [{ entityKind: 'image', unit: '%' }],
  ])('refuses %o', (of) => {
    expect(why(of)).not.toBeNull();
  });

  it('takes every row of the catalogue', () => {
    const checked = checkPanel(panelOf(entityRows, parts), nothingAnnounced);
    expect(checked.refused).toEqual({});
    expect(checked.shapes).toHaveLength(entityRows.length);
  });
  it('leaves an invalid row out and keeps the others; a device that is wrong keeps everything back', () => {
    const panel = panelOf(entityRows, parts);
    const bad = checkPanel(
      {
        ...panel,
        shapes: [shape({ entityKind: 'sensor', key: 'bad', category: 'config' }), ...panel.shapes],
      },
      nothingAnnounced,
    );
    expect(Object.keys(bad.refused)).toEqual(['bad']);
    expect(bad.shapes).toHaveLength(panel.shapes.length);
    const twice = checkPanel({ ...panel, shapes: [...panel.shapes, ...panel.shapes.slice(0, 1)] }, nothingAnnounced);
    expect(Object.values(twice.refused)).toEqual(['key used twice']);
    const lost = checkPanel({ ...panel, configurationUrl: 'ftp://x' }, nothingAnnounced);
    expect(Object.keys(lost.refused)).toEqual(['device']);
    expect(lost.shapes).toEqual([]);
  });
  it('leaves out what the profile lacks and the owner hides', () => {
    const keys = panelOf(entityRows, {
      ...parts,
      absent: ['screen'],
      expose: { screen: true, volume: true },
      address: '10.0.0.9',
    });
    expect(keys.shapes.map(({ key }) => key)).not.toContain('screen');
    expect(keys.shapes.map(({ key }) => key)).not.toContain('diag_ip');
    const corrected = (absent: readonly string[]) =>
      panelOf(entityRows, { ...parts, absent, expose: { temperature_offset: true } })
        .shapes.map(({ key }) => key)
        .includes('temperature_offset');
    expect([corrected([]), corrected(['temperature'])]).toEqual([true, false]);
    expect(keys.shapes.map(({ key }) => key)).toContain('volume');
    const { shapes } = checkPanel(panelOf(entityRows, { ...parts, hidden: ['screen_2'] }), nothingAnnounced);
    expect(shapes.map(({ key }) => key)).not.toContain('screen_2');
    expect(keys.configurationUrl).toBe('http://10.0.0.9:8888/');
    expect(panelOf([], parts).configurationUrl).toBe('http://[fe80::1]:8888/');
  });
});

describe('the catalogue', () => {
  // In the order of the subsystems, those from settings last.
  it('keeps its keys for ever', () => {
    expect(entityRows.map((row) => `${row.entityKind}.${row.key}`)).toEqual([
      'light.screen',
      'light.screen_2',
      'light.screen_3',
      'light.screen_4',
      'event.button',
      'button.reboot',
      'light.led',
      'light.buttons',
      'light.button_led1',
      'light.button_led2',
      'light.button_led3',
      'light.button_led4',
      'switch.relay1',
      'switch.relay2',
      'switch.relay3',
      'switch.relay4',
      'sensor.illuminance',
      'sensor.temperature',
      'sensor.humidity',
      'sensor.zigbee_gateway_health',
      'sensor.diag_ip',
      'sensor.diag_cpu',
      'sensor.diag_memory',
      'sensor.diag_soc_temp',
      'sensor.diag_boot',
      'sensor.diag_wifi_ssid',
      'sensor.diag_wifi_rssi',
      'binary_sensor.proximity',
      'sensor.proximity_level',
      'binary_sensor.auto_sleep_activity',
      'text.navigate',
      'button.reload',
      'number.volume',
      'image.camera_snapshot',
      'sensor.voice_state',
      'sensor.storage_health',
      'text.home_dashboard',
      'number.screen_minimum_percent',
      'switch.auto_brightness',
      'switch.wake_on_wave',
      'switch.auto_sleep',
      'number.volume_limit_percent',
      'switch.camera_enabled',
      'switch.voice_assistant',
      'number.temperature_offset',
      'number.humidity_offset',
      'select.log_level',
    ]);
  });
  it('offers of a light what its hardware was found to do', () => {
    const led = (modes: PanelParts['modes']) =>
      panelOf(entityRows, { ...parts, modes }).shapes.find(({ key }) => key === 'led');
    const of = (modes: PanelParts['modes']) => {
      const found = led(modes);
      return found === undefined ? null : componentOf(announcer, found);
    };
    expect(of({})).toMatchObject({
      supported_color_modes: ['rgb'],
      brightness: true,
      effect: true,
      effect_list: ['none', 'blink', 'pulse', 'strobe'],
    });
    expect(of({ led: { colour: 'switch', effects: [] } })).toMatchObject({ supported_color_modes: ['onoff'] });
    expect(of({ led: { colour: 'level', effects: [] } })).not.toHaveProperty('effect');
    expect(of({ led: { colour: 'level', effects: [] } })).not.toHaveProperty('brightness');
  });
  it('has no key twice, and its shapes are plain', () => {
    expect(new Set(entityRows.map((row) => row.key)).size).toBe(entityRows.length);
    for (const row of entityRows) expect(structuredClone(shapeOf(row))).toEqual(shapeOf(row));
  });
});

describe('decideOwner', () => {
  const installId = 'a'.repeat(32);
  const other = 'b'.repeat(32);
  it.each<[string | null, Record<string, string>, string]>([
    [null, {}, 'claim'],
    ['', {}, 'claim'],
    [installId, { bbbbbbbb: 'online' }, 'ours'],
    [other, { bbbbbbbb: 'online' }, 'duplicate'],
    [other, { bbbbbbbb: 'offline' }, 'take-over'],
    [other, {}, 'take-over'],
    [other, { aaaaaaaa: 'online' }, 'take-over'],
  ])('%s %o -> %s', (owner, statuses, verdict) => {
    expect(decideOwner({ installId, owner, statuses })).toBe(verdict);
  });
});

describe('meaningOf', () => {
  const panel = { panelId: 'hall', installId: 'a'.repeat(32), prefix: 'ha/x' };
  it.each<[string, unknown]>([
    ['sconce/hall/owner', { kind: 'owner', panelId: 'hall' }],
    ['sconce/old/owner', { kind: 'owner', panelId: 'old' }],
    ['sconce/hall/status/bbbbbbbb', { kind: 'status', install: 'bbbbbbbb' }],
    ['sconce/hall/screen/set', { kind: 'command', key: 'screen' }],
    ['sconce/old/screen/set', { kind: 'none' }],
    ['sconce/hall/screen/state', { kind: 'none' }],
    ['sconce/hall/barrier/aaaaaaaa', { kind: 'sync-token' }],
    ['sconce/hall/barrier/bbbbbbbb', { kind: 'none' }],
    ['ha/x/status', { kind: 'home-assistant' }],
    ['ha/x/device/sconce_hall/config', { kind: 'config' }],
    ['', { kind: 'none' }],
  ])('%s', (topic, meaning) => {
    expect(meaningOf(topic, panel)).toEqual(meaning);
  });
});
