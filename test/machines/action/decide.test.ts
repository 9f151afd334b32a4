import { describe, expect, test } from 'vitest';
import { absenceOf, type NamedParts } from '#machines/action/absence.ts';
import { ActionBody } from '#machines/action/body.ts';
import { decideAction } from '#machines/action/decide.ts';
import { decideSimulator, simulatorTouch } from '#machines/simulator/touch.ts';
import { explain, sentenceOf } from '#routes/kit/issues.ts';

describe('decideAction', () => {
  test.each<[ActionBody, string, object]>([
    [{ a: 'screen_on' }, 'screen', { type: 'screen.set', on: true, origin: 'http' }],
    [{ a: 'screen_on', display: 1 }, 'screen', { type: 'screen.set', on: true, origin: 'http' }],
    [{ a: 'screen_off' }, 'screen', { type: 'screen.set', on: false, origin: 'http' }],
    [{ a: 'screen_off', display: 2 }, 'screen_2', { type: 'screen.set', on: false, origin: 'http' }],
    [{ a: 'brightness', value: 0 }, 'screen', { type: 'screen.set', brightness: 0, origin: 'http' }],
    [{ a: 'brightness', value: 255 }, 'screen', { type: 'screen.set', brightness: 255, origin: 'http' }],
    [{ a: 'brightness', value: 12.4 }, 'screen', { type: 'screen.set', brightness: 12, origin: 'http' }],
    [{ a: 'brightness', value: 7, display: 4 }, 'screen_4', { type: 'screen.set', brightness: 7, origin: 'http' }],
    [{ a: 'light', id: 'led', on: true }, 'led', { type: 'light.set', on: true, origin: 'http' }],
    [{ a: 'light', id: 'buttons', brightness: 0 }, 'buttons', { type: 'light.set', level: 0, origin: 'http' }],
    [
      { a: 'light', id: 'led', on: true, brightness: 40, rgb: [255, 120, 0], effect: 'pulse' },
      'led',
      {
        type: 'light.set',
        on: true,
        level: 40,
        rgb: { red: 255, green: 120, blue: 0 },
        effect: 'pulse',
        origin: 'http',
      },
    ],
    [
      { a: 'light', id: 'led', rgb: '#Ff7800' },
      'led',
      { type: 'light.set', rgb: { red: 255, green: 120, blue: 0 }, origin: 'http' },
    ],
    [{ a: 'light', id: 'button_led3', on: false }, 'button_led3', { type: 'light.set', on: false, origin: 'http' }],
    [{ a: 'relay', id: 'relay4', on: true }, 'relay4', { type: 'relay.set', closed: true, origin: 'http' }],
    [{ a: 'relay', id: 'relay1', on: false }, 'relay1', { type: 'relay.set', closed: false, origin: 'http' }],
    [{ a: 'volume', value: 100 }, 'volume', { type: 'volume.set', percent: 100, origin: 'http' }],
    [{ a: 'volup' }, 'volume', { type: 'volume.step', by: 5, origin: 'http' }],
    [{ a: 'voldn' }, 'volume', { type: 'volume.step', by: -5, origin: 'http' }],
    [{ a: 'home' }, 'renderer', { type: 'renderer.home', origin: 'http' }],
    [{ a: 'reload' }, 'renderer', { type: 'renderer.reload', origin: 'http' }],
    [
      { a: 'navigate', path: '/lovelace/1' },
      'renderer',
      { type: 'renderer.navigate', path: '/lovelace/1', origin: 'http' },
    ],
    [{ a: 'back' }, 'adb', { type: 'adb.press', key: 'back' }],
    [{ a: 'recents' }, 'adb', { type: 'adb.press', key: 'recents' }],
    [{ a: 'launcher' }, 'adb', { type: 'adb.press', key: 'home' }],
    [{ a: 'reboot' }, 'power', { type: 'power.reboot', origin: 'http' }],
    [{ a: 'test_sound' }, 'announcer', { type: 'announcement.test', at: 5 }],
  ])('%j goes to %s', (body, actor, event) => {
    expect(ActionBody().safeParse(body).error).toBeUndefined();
    expect(decideAction(body, 5)).toEqual({ verb: body.a, actor, event });
  });
});

describe('what a body names and the panel has not', () => {
  const some: NamedParts = { lights: ['led', 'buttons'], relays: [], displays: [1, 3] };
  test.each<[ActionBody, string | null]>([
    [{ a: 'light', id: 'led', on: true }, null],
    [{ a: 'light', id: 'button_led1', on: true }, 'This panel has no light button_led1. It has: led, buttons.'],
    [{ a: 'relay', id: 'relay1', on: true }, 'This panel has no relays that can be switched.'],
    [{ a: 'screen_on' }, null],
    [{ a: 'brightness', value: 3, display: 3 }, null],
    [{ a: 'screen_off', display: 2 }, 'This panel has no display 2. It has: 1, 3.'],
    [{ a: 'volume', value: 3 }, null],
  ])('%j: %s', (body, words) => expect(absenceOf(body, some)).toBe(words));
});

describe('decideSimulator', () => {
  test.each([
    [{ press: 1 }, { type: 'simulator.press', button: 1 }],
    [{ lux: 0 }, { type: 'simulator.light', lux: 0 }],
    [
      { relay: 4, closed: true },
      { type: 'simulator.relay', relay: 4, closed: true },
    ],
    [{ screen: { on: false } }, { type: 'simulator.screen', powered: false }],
    [{ screen: { brightness: 255 } }, { type: 'simulator.screen', raw: 510 }],
    [{ screen: { brightness: 1 } }, { type: 'simulator.screen', raw: 2 }],
  ])('%j', (body, event) => {
    expect(decideSimulator(simulatorTouch().parse(body), (level) => level * 2)).toEqual(event);
  });

  test.each([
    [{}, '"press"'],
    [{ press: 5 }, '"press" must be a whole number from 1 to 4'],
    [{ press: 1, lux: 3 }, 'the only field'],
    [{ lux: -1 }, '"lux" must be a number from 0 to 100000'],
    [{ relay: 1 }, '"closed"'],
    [{ led: { on: true, red: 999, green: 0, blue: 0 } }, 'from 0 to 255'],
    [{ screen: { brightness: 0 } }, 'from 1 to 255'],
    ['press', '"press"'],
    [null, '"press"'],
  ])('%j is refused and says what is wanted', (body, words) => {
    const parsed = simulatorTouch().safeParse(body, { error: sentenceOf });
    expect(explain(parsed.error?.issues ?? []).message).toContain(words);
  });
});
