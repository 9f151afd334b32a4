import { describe, expect, test } from 'vitest';
import { decideAction, verbs } from '#machines/action/decide.ts';
import { decideSimulator } from '#machines/simulator/touch.ts';

describe('decideAction', () => {
  test.each([
    [{ a: 'screen_on' }, 'screen', { type: 'screen.set', on: true, origin: 'http' }],
    [{ a: 'screen_off' }, 'screen', { type: 'screen.set', on: false, origin: 'http' }],
    [{ a: 'brightness', value: 0 }, 'screen', { type: 'screen.set', brightness: 0, origin: 'http' }],
    [{ a: 'brightness', value: '255' }, 'screen', { type: 'screen.set', brightness: 255, origin: 'http' }],
    [{ a: 'brightness', value: 12.4 }, 'screen', { type: 'screen.set', brightness: 12, origin: 'http' }],
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
  ])('%j goes to %s', (body, actor, event) => {
    expect(decideAction(body)).toEqual({ ok: true, value: { verb: body.a, actor, event } });
  });

  test.each([
    [{}, 'bad-action', '"a"'],
    [{ a: 'explode' }, 'bad-action', 'screen_on'],
    [{ a: 7 }, 'bad-action', '"a"'],
    [{ a: 'brightness' }, 'bad-value', '0 to 255'],
    [{ a: 'brightness', value: 256 }, 'bad-value', '0 to 255'],
    [{ a: 'brightness', value: '' }, 'bad-value', '"value"'],
    [{ a: 'brightness', value: '0x10' }, 'bad-value', '"value"'],
    [{ a: 'brightness', value: 5, nope: {} }, 'bad-value', '"nope"'],
    [{ a: 'brightness', value: Number.NaN }, 'bad-value', '"value"'],
    [{ a: 'volume', value: -1 }, 'bad-value', '0 to 100'],
    [{ a: 'navigate' }, 'bad-value', '"path"'],
    [{ a: 'navigate', path: 7 }, 'bad-value', '"path"'],
    [{ a: 'home', path: '/lovelace/0' }, 'bad-value', '"path"'],
  ])('%j is refused with %s', (body, reason, words) => {
    const decided = decideAction(body);
    expect(decided).toMatchObject({ ok: false, reason });
    expect(decided.ok ? '' : decided.message).toContain(words);
  });

  test('every verb is decided one way or the other', () => {
    for (const a of verbs) expect(decideAction({ a, value: 1 })).toHaveProperty('ok');
  });
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
    expect(decideSimulator(body, (level) => level * 2)).toEqual({ ok: true, value: event });
  });

  test.each([
    [{}, '"press"'],
    [{ press: 5 }, '"press" must be a whole number from 1 to 4'],
    [{ press: 1, lux: 3 }, 'stand alone'],
    [{ lux: -1 }, '"lux" must be a number from 0 to 100000'],
    [{ relay: 1 }, '"closed"'],
    [{ led: { on: true, red: 999, green: 0, blue: 0 } }, 'from 0 to 255'],
    [{ screen: { brightness: 0 } }, 'from 1 to 255'],
    ['press', '"press"'],
    [null, '"press"'],
  ])('%j is refused and says what is wanted', (body, words) => {
    const decided = decideSimulator(body, (level) => level * 2);
    expect(decided.ok ? '' : decided.message).toContain(words);
  });
});
