import { expect, it } from 'vitest';

import { acceptCommand, type CommandValue, rowCommandOf } from '#machines/entities/command.ts';
import type { RowShape } from '#machines/entities/shape.ts';
import type { ActorInterface } from '#machines/kit/actor.ts';
import type { EntityRow } from '#machines/kit/entity.ts';
import { ok } from '#machines/kit/result.ts';

const shape = (over: Partial<RowShape> & Pick<RowShape, 'entityKind'>): RowShape => ({
  key: 'it',
  name: 'It',
  attributes: false,
  ...over,
});
const light = shape({ entityKind: 'light' });
const colours = shape({ entityKind: 'light', modes: { colour: 'rgb', effects: ['blink'] } });
const number = shape({ entityKind: 'number', range: { min: 0, max: 100, step: 5 } });

// What comes as a value and no text, as the native way to Home Assistant brings it.
it.each<[string, RowShape, CommandValue, unknown]>([
  ['a light: a level', light, { on: true, brightness: 7 }, { on: true, brightness: 7 }],
  ['a light: off, whatever else', light, { on: false, brightness: 7 }, { on: false }],
  ['a light: no whole level', light, { brightness: 7.5 }, 'malformed'],
  ['a light: a level too high', light, { brightness: 256 }, 'malformed'],
  ['a light: nothing', light, {}, 'malformed'],
  ['a light: no light at all', light, true, 'malformed'],
  ['a light: a colour it has not', light, { rgb: { red: 1, green: 2, blue: 3 } }, 'malformed'],
  ['a light: a colour', colours, { rgb: { red: 1, green: 2, blue: 3 } }, { rgb: { red: 1, green: 2, blue: 3 } }],
  ['a light: no colour', colours, { rgb: { red: 1, green: 2, blue: 256 } }, 'malformed'],
  ['a light: an effect', colours, { effect: 'blink' }, { effect: 'blink' }],
  ['a light: an effect it has not', colours, { effect: 'rainbow' }, 'not-an-option'],
  ['a number', number, 42.9, 45],
  ['a number: none', number, Number.NaN, 'out-of-range'],
  ['a number: a text', number, '42', 'malformed'],
  ['a text', shape({ entityKind: 'text', maxLength: 4 }), 'äöü€', 'äöü€'],
  ['a text: too long', shape({ entityKind: 'text', maxLength: 4 }), 'abcde', 'too-long'],
  ['a text: a number', shape({ entityKind: 'text', maxLength: 4 }), 7, 'malformed'],
  ['a switch', shape({ entityKind: 'switch' }), false, false],
  ['a switch: a text', shape({ entityKind: 'switch' }), 'ON', 'malformed'],
  ['a select', shape({ entityKind: 'select', options: ['a'] }), 'a', 'a'],
  ['a select: another', shape({ entityKind: 'select', options: ['a'] }), 'b', 'not-an-option'],
  ['a button', shape({ entityKind: 'button' }), null, null],
  ['a button: a text', shape({ entityKind: 'button' }), 'PRESS', 'malformed'],
  ['a sensor', shape({ entityKind: 'sensor' }), 7, 'not-commandable'],
])('%s', (_, of, value, expected) => {
  const accepted = acceptCommand(of, value);
  expect(accepted.ok ? accepted.value : accepted.reason).toEqual(expected);
});

/** A row that answers with what it is to write. */
const rowOf = (entityKind: EntityRow['entityKind']): EntityRow<ActorInterface, unknown> =>
  ({ entityKind, write: (value: unknown) => ok({ value }) }) as unknown as EntityRow<ActorInterface, unknown>;

it.each<[EntityRow['entityKind'], CommandValue, CommandValue]>([
  ['light', { on: true }, true],
  ['number', 7, '7'],
  ['text', 'a', 7],
  ['select', 'a', null],
  ['switch', false, 'OFF'],
])('a %s is written %j, and not %j', (kind, value, other) => {
  expect(rowCommandOf(rowOf(kind), value, 'home-assistant')).toEqual({ ok: true, value: { value } });
  expect(rowCommandOf(rowOf(kind), other, 'home-assistant')).toMatchObject({ ok: false, reason: 'malformed' });
});

it('a button is pressed, and what only reports is not written', () => {
  expect(rowCommandOf(rowOf('button'), null, 'http')).toEqual({ ok: true, value: { value: 'http' } });
  for (const kind of ['sensor', 'binary_sensor', 'event', 'image'] as const)
    expect(rowCommandOf(rowOf(kind), 7, 'home-assistant')).toMatchObject({ ok: false, reason: 'not-commandable' });
});
