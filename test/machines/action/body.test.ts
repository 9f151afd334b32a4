import { describe, expect, test } from 'vitest';
import { ActionBody, ActionForm, verbs } from '#machines/action/body.ts';
import { decodeFields } from '#routes/kit/form-values.ts';
import { explain, sentenceOf } from '#routes/kit/issues.ts';

const parse = (body: unknown) => ActionBody().safeParse(body, { error: sentenceOf });

describe('the body of an action', () => {
  test.each<[object, string, string]>([
    [{}, 'a', 'screen_on'],
    [{ a: 'explode' }, 'a', 'must be one of: screen_on, screen_off, brightness, light, relay'],
    [{ a: 7 }, 'a', '"a"'],
    [{ a: 'brightness' }, 'value', 'The field "value" of brightness must be a number from 0 to 255.'],
    [{ a: 'brightness', value: 256 }, 'value', 'The field "value" of brightness must be a number from 0 to 255.'],
    [{ a: 'brightness', value: '' }, 'value', '"value"'],
    [{ a: 'brightness', value: '40' }, 'value', '"value"'],
    [{ a: 'brightness', value: null }, 'value', '"value"'],
    [{ a: 'brightness', value: 5, nope: {} }, 'nope', '"nope"'],
    [{ a: 'brightness', value: Number.NaN }, 'value', '"value"'],
    [{ a: 'screen_on', value: 1 }, 'value', '"value"'],
    [{ a: 'screen_on', display: 0 }, 'display', '"display"'],
    [{ a: 'screen_off', display: 5 }, 'display', '"display"'],
    [{ a: 'brightness', value: 5, display: 1.5 }, 'display', '"display"'],
    [{ a: 'volume', value: -1 }, 'value', 'The field "value" of volume must be a number from 0 to 100.'],
    [{ a: 'volume', value: 1, display: 1 }, 'display', '"display"'],
    [{ a: 'navigate' }, 'path', '"path"'],
    [{ a: 'navigate', path: 7 }, 'path', '"path"'],
    [{ a: 'home', path: '/lovelace/0' }, 'path', '"path"'],
    [{ a: 'relay', id: 'relay1' }, 'on', 'true or false'],
    [{ a: 'relay', id: 'relay5', on: true }, 'id', 'relay1, relay2, relay3, relay4'],
    [{ a: 'relay', id: 'relay1', on: 'on' }, 'on', 'true or false'],
    [{ a: 'light', on: true }, 'id', 'led, buttons, button_led1'],
    [{ a: 'light', id: 'lamp', on: true }, 'id', 'led, buttons, button_led1'],
    [{ a: 'light', id: 'led', brightness: 256 }, 'brightness', '"brightness"'],
    [{ a: 'light', id: 'led', brightness: 1.5 }, 'brightness', 'whole number'],
    [{ a: 'light', id: 'led', rgb: [] }, 'rgb', 'three whole numbers from 0 to 255'],
    [{ a: 'light', id: 'led', rgb: [1, 2] }, 'rgb', 'three whole numbers from 0 to 255'],
    [{ a: 'light', id: 'led', rgb: [1, 2, 256] }, 'rgb.2', 'three whole numbers from 0 to 255'],
    [{ a: 'light', id: 'led', rgb: 'red' }, 'rgb', 'such as "#ff7800"'],
    [{ a: 'light', id: 'led', rgb: '1,2,3' }, 'rgb', 'such as "#ff7800"'],
    [{ a: 'light', id: 'led', effect: 'rainbow' }, 'effect', 'none, blink, pulse, strobe'],
  ])('%j is refused at %s', (body, place, words) => {
    const parsed = parse(body);
    const { message, reasons } = explain(parsed.error?.issues ?? []);
    expect(Object.keys(reasons)).toEqual([place]);
    expect(message).toContain(words);
  });

  test.each<[object, string, string]>([
    [{}, 'on', 'Send at least one of'],
    [{ rgb: [0, 0, 0] }, 'rgb', 'a part above 0'],
    [{ on: true, rgb: '#000000' }, 'rgb', 'a part above 0'],
    [{ on: true, brightness: 0 }, 'brightness', '1 to 255'],
    [{ brightness: 0, rgb: [1, 2, 3] }, 'brightness', '1 to 255'],
    [{ brightness: 0, effect: 'blink' }, 'brightness', '1 to 255'],
    [{ on: false, brightness: 3 }, 'brightness', 'switched off cannot have "brightness"'],
    [{ on: false, rgb: [1, 2, 3] }, 'rgb', 'switched off cannot have "rgb"'],
    [{ on: false, effect: 'blink' }, 'effect', 'switched off cannot have "effect"'],
  ])('a light that is to do %j contradicts itself', (asked, place, words) => {
    const parsed = parse({ a: 'light', id: 'led', ...asked });
    const { message, reasons } = explain(parsed.error?.issues ?? []);
    expect(Object.keys(reasons)).toEqual([place]);
    expect(message).toContain(words);
  });

  test.each([{ on: false }, { on: false, brightness: 0 }, { on: false, effect: 'none' }, { brightness: 0 }])(
    'off may be said as %j',
    (asked) => expect(parse({ a: 'light', id: 'led', ...asked }).success).toBe(true),
  );

  test('knows every verb that is named, and no other', () => {
    const known = ActionBody().options.flatMap(({ shape: { a } }) => [...a._zod.values]);
    expect(known).toHaveLength(verbs.length);
    expect(new Set(known)).toEqual(new Set(verbs));
  });
});

describe('a form says the same', () => {
  test.each<[string, object]>([
    ['a=brightness&value=255', { a: 'brightness', value: 255 }],
    ['a=brightness&value=12.4&display=2', { a: 'brightness', value: 12.4, display: 2 }],
    ['a=relay&id=relay1&on=off', { a: 'relay', id: 'relay1', on: false }],
    [
      'a=light&id=led&on=true&brightness=40&rgb=%23ff7800&effect=blink',
      { a: 'light', id: 'led', on: true, brightness: 40, rgb: '#ff7800', effect: 'blink' },
    ],
    ['a=navigate&path=7', { a: 'navigate', path: '7' }],
  ])('%s', (form, body) => {
    const decoded = decodeFields(ActionBody(), Object.fromEntries(new URLSearchParams(form)));
    expect(ActionBody().parse(decoded)).toEqual(body);
    expect(ActionForm().parse(decoded)).toEqual(body);
  });

  test.each(['a=brightness&value=', 'a=brightness&value=0x10', 'a=relay&id=relay1&on='])('%s is refused', (form) => {
    const decoded = decodeFields(ActionBody(), Object.fromEntries(new URLSearchParams(form)));
    expect(parse(decoded).success).toBe(false);
  });
});
