import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { entityRows } from '#machines/entities.ts';
import type { EntityRow } from '#machines/kit/entity.ts';
import type { SnapshotView } from '#machines/kit/snapshot.ts';
import { changedMessages, rowMessages } from '#machines/publisher/announcement.ts';
import { parseCommand, refusalInReply } from '#machines/publisher/command.ts';
import { checkPanel, componentOf } from '#machines/publisher/discovery.ts';
import { enter, leave, type Lanes } from '#machines/publisher/lanes.ts';
import type { RowValue } from '#machines/publisher/events.ts';
import { decideOwner } from '#machines/publisher/owner.ts';
import { panelOf, type PanelParts } from '#machines/publisher/panel.ts';
import { shapeOf, type RowShape } from '#machines/publisher/shape.ts';
import { absentValue, encodeRow, sameRowValue } from '#machines/publisher/state.ts';
import { meaningOf } from '#machines/publisher/topics.ts';
import { refusalOfComponent } from '#machines/publisher/validate.ts';

const shape = (over: Partial<RowShape> & Pick<RowShape, 'platform'>): RowShape => ({
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
    version: '0.1.0',
  },
  prefix: 'homeassistant',
  expose: Object.fromEntries(entityRows.map((row) => [row.expose ?? '', true])),
  absent: [],
  hidden: [],
  modes: {},
  address: 'fe80::1',
  port: 8888,
};

describe('parseCommand', () => {
  const light = shape({ platform: 'light' });
  const led = shape({ platform: 'light', modes: { colour: 'rgb', effects: ['none', 'blink'] } });
  const number = shape({ platform: 'number', range: { min: 0, max: 100, step: 5 } });
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
    ['text', shape({ platform: 'text', maxLength: 4 }), 'äöü€', 'äöü€'],
    ['empty text', shape({ platform: 'text', maxLength: 4 }), '', ''],
    ['long text', shape({ platform: 'text', maxLength: 4 }), 'abcde', 'too-long'],
    ['switch', shape({ platform: 'switch' }), 'ON', true],
    ['switch', shape({ platform: 'switch' }), 'OFF', false],
    ['switch otherwise', shape({ platform: 'switch' }), 'on', 'malformed'],
    ['option', shape({ platform: 'select', options: ['a', 'b'] }), 'b', 'b'],
    ['no option', shape({ platform: 'select', options: ['a', 'b'] }), 'c', 'not-an-option'],
    ['press', shape({ platform: 'button' }), 'PRESS', null],
    ['not a press', shape({ platform: 'button' }), '', 'malformed'],
    ['sensor', shape({ platform: 'sensor' }), '1', 'not-commandable'],
    ['event', shape({ platform: 'event', eventTypes: ['press'] }), 'press', 'not-commandable'],
    ['huge', light, 'x'.repeat(5000), 'too-long'],
  ])('%s', (_, of, payload, expected) => {
    const parsed = parseCommand(of, payload);
    expect(parsed.ok ? parsed.value : parsed.reason).toEqual(expected);
  });
});

describe('encodeRow', () => {
  const base = { key: 'it', name: 'It', actor: 'x', available: () => true };
  const row = (over: Record<string, unknown>): EntityRow =>
    // The test builds rows from parts; each is a whole row of its platform.
    ({
      ...base,
      read: (view: SnapshotView) => view.context,
      write: () => ({ ok: true, value: { type: 'x' } }),
      ...over,
    }) as unknown as EntityRow;
  it.each<[Record<string, unknown>, unknown, string | null]>([
    [{ platform: 'light' }, { on: true, brightness: 12.4 }, '{"state":"ON","brightness":12}'],
    [{ platform: 'light' }, { on: true, brightness: 300 }, '{"state":"ON","brightness":255}'],
    [{ platform: 'light' }, { on: true, brightness: null }, '{"state":"ON"}'],
    [{ platform: 'light' }, { on: false, brightness: 80 }, '{"state":"OFF"}'],
    [{ platform: 'light' }, null, '{"state":null}'],
    [
      { platform: 'light' },
      { on: true, brightness: 128, rgb: { red: 255, green: 300, blue: -1 }, effect: 'none' },
      '{"state":"ON","brightness":128,"color_mode":"rgb","color":{"r":255,"g":255,"b":0},"effect":"none"}',
    ],
    [
      { platform: 'light' },
      { on: true, brightness: 9, effect: 'blink' },
      '{"state":"ON","brightness":9,"effect":"blink"}',
    ],
    [
      { platform: 'light' },
      { on: false, brightness: null, rgb: { red: 1, green: 2, blue: 3 }, effect: 'none' },
      '{"state":"OFF"}',
    ],
    [{ platform: 'number', range: { min: 0, max: 10, step: 1 } }, 5, '5'],
    [{ platform: 'number', range: { min: 0, max: 10, step: 1 } }, 11, 'None'],
    [{ platform: 'number', range: { min: 0, max: 10, step: 1 } }, Number.NaN, 'None'],
    [{ platform: 'number', range: { min: 0, max: 10, step: 1 } }, null, 'None'],
    [{ platform: 'text', maxLength: 3 }, 'None', '{"value":"Non"}'],
    [{ platform: 'text', maxLength: 3 }, '', '{"value":""}'],
    [{ platform: 'text', maxLength: 3 }, null, null],
    [{ platform: 'switch' }, true, 'ON'],
    [{ platform: 'switch' }, null, 'None'],
    [{ platform: 'select', options: ['a'] }, 'a', 'a'],
    [{ platform: 'select', options: ['a'] }, 'b', 'None'],
    [{ platform: 'binary_sensor' }, false, 'OFF'],
    [{ platform: 'sensor' }, 'hello', 'hello'],
    [{ platform: 'sensor' }, '', 'None'],
    [{ platform: 'sensor' }, 'x'.repeat(300), 'x'.repeat(255)],
    [{ platform: 'sensor', unit: '%' }, 'abc', 'None'],
    [{ platform: 'sensor', unit: '%' }, Number.POSITIVE_INFINITY, 'None'],
    [{ platform: 'sensor', unit: '%' }, 7.5, '7.5'],
    [{ platform: 'sensor', deviceClass: 'timestamp' }, '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
    [{ platform: 'sensor', deviceClass: 'timestamp' }, '2026-01-01T00:00:00', 'None'],
    [{ platform: 'button' }, null, null],
    [{ platform: 'event', eventTypes: ['press'] }, [], null],
  ])('%o of %o', (of, context, expected) => {
    expect(encodeRow(row(of), snapshot(context)).state).toBe(expected);
  });
  it('is unavailable while its actor is absent', () => {
    expect(encodeRow(row({ platform: 'switch' }), undefined)).toEqual({
      state: null,
      available: false,
      attributes: null,
    });
  });
});

describe('what happened', () => {
  const of = shape({ platform: 'event', key: 'bell', eventTypes: ['press', 'release'] });
  const row = {
    platform: 'event',
    key: 'bell',
    name: 'Bell',
    actor: 'x',
    eventTypes: ['press', 'release'],
    available: () => true,
    read: (view: SnapshotView) => view.context,
  } as unknown as EntityRow;
  const value = (...sequences: readonly number[]) =>
    encodeRow(
      row,
      snapshot(sequences.map((sequence) => ({ sequence, type: 'press', attributes: { button: 'left', n: sequence } }))),
    );
  const told = (before: RowValue | undefined, after: RowValue): readonly unknown[] =>
    changedMessages('hall', of, before, after).flatMap((message) =>
      message.topic === 'sconce/hall/bell/state' ? [[message.retain, message.qos, JSON.parse(message.payload)]] : [],
    );
  const press = (n: number) => [false, 0, { button: 'left', n, event_type: 'press' }];

  it.each<[string, RowValue | undefined, RowValue, readonly unknown[]]>([
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
    expect(sameRowValue(value(1), value(1, 2))).toBe(false);
    expect(sameRowValue(value(1), value(1))).toBe(true);
    expect(encodeRow(row, snapshot([{ sequence: 1, type: 'shake', attributes: {} }])).happened).toEqual([]);
  });
});

describe('what the platform would refuse', () => {
  const why = (over: Partial<RowShape> & Pick<RowShape, 'platform'>): string | null => {
    const of = shape(over);
    return refusalOfComponent(of.key, componentOf(announcer, of));
  };
  it.each<[Partial<RowShape> & Pick<RowShape, 'platform'>]>([
    [{ platform: 'light' }],
    [{ platform: 'light', modes: { colour: 'switch', effects: [] } }],
    [{ platform: 'light', modes: { colour: 'rgb', effects: ['none', 'blink'] } }],
    [{ platform: 'light', name: 'whole \ud83d\udca1' }],
    [{ platform: 'number', range: { min: 0, max: 1, step: 0.1 }, unit: '%' }],
    [{ platform: 'text', maxLength: 255 }],
    [{ platform: 'switch', category: 'config' }],
    [{ platform: 'select', options: ['a'] }],
    [{ platform: 'button', deviceClass: 'restart' }],
    [{ platform: 'sensor', deviceClass: 'temperature', unit: '°C', stateClass: 'measurement', precision: 1 }],
    [{ platform: 'sensor', deviceClass: 'timestamp', category: 'diagnostic' }],
    [{ platform: 'binary_sensor', deviceClass: 'problem' }],
    [{ platform: 'event', deviceClass: 'button', eventTypes: ['press', 'release'] }],
  ])('takes %o', (of) => {
    expect(why(of)).toBeNull();
  });
  it.each<[Partial<RowShape> & Pick<RowShape, 'platform'>]>([
    [{ platform: 'light', deviceClass: 'x' }],
    [{ platform: 'light', modes: { colour: 'rgb', effects: ['blink', 'blink'] } }],
    [{ platform: 'light', modes: { colour: 'rgb', effects: [''] } }],
    [{ platform: 'light', name: 'half \ud83d' }],
    [{ platform: 'select', options: ['\udc00'] }],
    [{ platform: 'light', key: 'with space' }],
    [{ platform: 'light', key: 'status' }],
    [{ platform: 'light', icon: 'lamp' }],
    [{ platform: 'light', name: '' }],
    [{ platform: 'number', range: { min: 1, max: 1, step: 1 } }],
    [{ platform: 'number', range: { min: 0, max: 1, step: 0 } }],
    [{ platform: 'number' }],
    [{ platform: 'text', maxLength: 256 }],
    [{ platform: 'select', options: [] }],
    [{ platform: 'select', options: ['a', 'a'] }],
    [{ platform: 'button', deviceClass: 'outlet' }],
    [{ platform: 'sensor', category: 'config' }],
    [{ platform: 'sensor', deviceClass: 'temperature', unit: 'C' }],
    [{ platform: 'sensor', deviceClass: 'illuminance', unit: 'lux' }],
    [{ platform: 'sensor', deviceClass: 'temperature' }],
    [{ platform: 'sensor', deviceClass: 'timestamp', unit: 's' }],
    [{ platform: 'sensor', deviceClass: 'timestamp', stateClass: 'measurement' }],
    [{ platform: 'sensor', deviceClass: 'nonsense' }],
    [{ platform: 'sensor', stateClass: 'sometimes' }],
    [{ platform: 'binary_sensor', deviceClass: 'doorbell' }],
    [{ platform: 'binary_sensor', category: 'config' }],
    [{ platform: 'event', eventTypes: [] }],
    [{ platform: 'event', eventTypes: ['press', 'press'] }],
    [{ platform: 'event', deviceClass: 'restart', eventTypes: ['press'] }],
  ])('refuses %o', (of) => {
    expect(why(of)).not.toBeNull();
  });

  it('takes every row of the catalogue', () => {
    const checked = checkPanel(panelOf(entityRows, parts));
    expect(checked.refused).toEqual({});
    expect(checked.shapes).toHaveLength(entityRows.length);
  });
  it('leaves an invalid row out and keeps the others; a device that is wrong keeps everything back', () => {
    const panel = panelOf(entityRows, parts);
    const bad = checkPanel({
      ...panel,
      shapes: [shape({ platform: 'sensor', key: 'bad', category: 'config' }), ...panel.shapes],
    });
    expect(Object.keys(bad.refused)).toEqual(['bad']);
    expect(bad.shapes).toHaveLength(panel.shapes.length);
    const twice = checkPanel({ ...panel, shapes: [...panel.shapes, ...panel.shapes.slice(0, 1)] });
    expect(Object.values(twice.refused)).toEqual(['key used twice']);
    const lost = checkPanel({ ...panel, configurationUrl: 'ftp://x' });
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
    expect(panelOf(entityRows, { ...parts, hidden: ['screen_2'] }).shapes.map(({ key }) => key)).not.toContain(
      'screen_2',
    );
    expect(keys.configurationUrl).toBe('http://10.0.0.9:8888/');
    expect(panelOf([], parts).configurationUrl).toBe('http://[fe80::1]:8888/');
  });
});

describe('the catalogue', () => {
  // In the order of the subsystems, those from settings last.
  it('keeps its keys for ever', () => {
    expect(entityRows.map((row) => `${row.platform}.${row.key}`)).toEqual([
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
      'text.navigate',
      'button.reload',
      'number.volume',
      'sensor.storage_health',
      'text.home_dashboard',
      'number.screen_minimum_percent',
      'switch.wake_on_wave',
      'number.volume_limit_percent',
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

describe('the publisher', () => {
  it('names no entity of the catalogue', () => {
    const root = new URL('../../../', import.meta.url);
    const files = [
      ...readdirSync(new URL('machines/publisher/', root)).map((name) => `machines/publisher/${name}`),
      'actors/publisher.ts',
    ].filter(
      // The platform's own device classes share words with entities that are named after one.
      (file) => file !== 'machines/publisher/classes.ts',
    );
    expect(files.length).toBeGreaterThan(10);
    // A key that is the name of a platform as well is found wherever that platform is told apart.
    const platforms: readonly string[] = entityRows.map((row) => row.platform);
    const rows = entityRows.filter(({ key }) => !platforms.includes(key));
    for (const file of files) {
      const text = readFileSync(new URL(file, root), 'utf8');
      expect([
        file,
        rows.filter((row) => new RegExp(`['"\`]${row.key}['"\`]`).test(text)).map(({ key }) => key),
      ]).toEqual([file, []]);
    }
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
    ['sconce/hall/barrier/aaaaaaaa', { kind: 'barrier' }],
    ['sconce/hall/barrier/bbbbbbbb', { kind: 'none' }],
    ['ha/x/status', { kind: 'platform' }],
    ['ha/x/device/sconce_hall/config', { kind: 'config' }],
    ['', { kind: 'none' }],
  ])('%s', (topic, meaning) => {
    expect(meaningOf(topic, panel)).toEqual(meaning);
  });
});

describe('lanes', () => {
  const command = (type: string) => ({ type });
  it('run one command per entity, and the newest that waits', () => {
    let lanes: Lanes<{ type: string }> = {};
    const come = (key: string, type: string): string | undefined => {
      const step = enter(lanes, key, command(type));
      lanes = step.lanes;
      return step.next?.type;
    };
    const end = (key: string): string | undefined => {
      const step = leave(lanes, key);
      lanes = step.lanes;
      return step.next?.type;
    };
    expect([come('a', '1'), come('a', '2'), come('a', '3'), come('b', '4')]).toEqual(['1', undefined, undefined, '4']);
    expect([end('a'), end('a'), end('b'), end('b')]).toEqual(['3', undefined, undefined, undefined]);
    expect(lanes).toEqual({});
  });
});

describe('refusalInReply', () => {
  it.each<[unknown, string | null]>([
    [{ status: 'saved' }, null],
    [{ status: 'no-op' }, null],
    [{ status: 'refused', reasons: {} }, 'refused'],
    [{ status: 'commit-failed', reason: 'ENOSPC' }, 'commit-failed'],
    [{ ok: false, reason: 'x' }, 'refused'],
    [{ ok: true }, null],
    [undefined, null],
  ])('%o', (outcome, expected) => {
    expect(refusalInReply(outcome)).toBe(expected);
  });
});
