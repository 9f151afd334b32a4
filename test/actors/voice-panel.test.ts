import { describe, expect, it } from 'vitest';

import { voicePanel } from '#actors/voice-panel.ts';
import { afterChange, noButtons } from '#machines/input/buttons.ts';
import type { Buttons } from '#machines/input/events.ts';
import type { VoicePanelCommand, VoicePanelFact } from '#machines/voice/events.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

import { runDriver } from '../drivers/run-driver.ts';

const NOW = 1_700_000_000_000;
const REST_MS = 15_000;

interface Display {
  readonly lit: boolean | null;
  readonly wanted?: boolean | null;
  readonly by?: string;
  readonly at?: number;
}

const display = ({ lit, wanted = null, by = 'auto-sleep', at = 1 }: Display) => ({ lit, wanted, changed: { by, at } });
const input = (at: number | null, buttons: Buttons = noButtons) => ({
  last: at === null ? null : { kind: 'touch', at },
  buttons,
});

/** The driver over a registry whose first screen is dark and whose second one is lit. */
function panel() {
  const registry = fakeRegistry({
    screen: display({ lit: false }),
    screen_2: display({ lit: true }),
    input: input(5),
    settings: { values: { voice_button: 'top' } },
  });
  const timers = new Map<number, { readonly due: number; readonly fn: () => void }>();
  let elapsed = 1000;
  let last = 0;
  const logic = voicePanel({
    registry,
    displays: ['screen', 'screen_2', 'screen_3'],
    elapsed: () => elapsed,
    now: () => NOW,
    timers: {
      setTimeout: (fn, ms) => {
        last += 1;
        timers.set(last, { due: elapsed + ms, fn });
        return last;
      },
      clearTimeout: (timer) => void (typeof timer === 'number' && timers.delete(timer)),
    },
  });
  const driver = runDriver<VoicePanelCommand, VoicePanelFact>(logic);
  const pass = (ms: number): void => {
    elapsed += ms;
    for (const [id, { due, fn }] of timers) {
      if (due > elapsed) continue;
      timers.delete(id);
      fn();
    }
  };
  const orders = () => registry.told.map(({ id, event }) => [id, event]);
  const becomes = (shown: Display): void => registry.put('screen', display(shown));
  /** A turn that lights the screen. */
  const light = (): void => {
    driver.tell({ type: 'panel.light' });
    becomes({ lit: false, wanted: true });
    becomes({ lit: true, by: 'voice', at: 2 });
  };
  return { registry, driver, pass, orders, becomes, light, again: () => runDriver(logic), timers };
}

const on = ['screen', { type: 'screen.set', on: true, origin: 'voice' }];
const off = ['screen', { type: 'screen.set', on: false, origin: 'voice' }];

describe('the screens of a turn', () => {
  it('are lit if they are dark, and dark again 15 s after it', () => {
    const { driver, light, orders, pass, timers } = panel();
    light();
    expect(orders()).toEqual([on]);
    pass(REST_MS * 2);
    driver.tell({ type: 'panel.rest' });
    pass(REST_MS - 1);
    expect(orders()).toEqual([on]);
    pass(1);
    expect(orders()).toEqual([on, off]);
    expect(timers.size).toBe(0);
  });

  it('are lit if they are about to go dark, and left alone if they are about to be lit', () => {
    const { becomes, driver, orders } = panel();
    becomes({ lit: false, wanted: true });
    driver.tell({ type: 'panel.light' });
    expect(orders()).toEqual([]);
    becomes({ lit: true, wanted: false });
    driver.tell({ type: 'panel.light' });
    expect(orders()).toEqual([on]);
  });

  it.each<[string, (on: ReturnType<typeof panel>) => void]>([
    ['a touch', ({ registry }) => registry.put('input', input(6))],
    ['a switch from Home Assistant', ({ becomes }) => becomes({ lit: true, by: 'home-assistant', at: 3 })],
    ['another wake', ({ becomes }) => becomes({ lit: true, by: 'presence', at: 3 })],
    ['one that is not done yet', ({ becomes }) => becomes({ lit: true, wanted: true, by: 'voice', at: 2 })],
    [
      'a hand that switched it off and something that lit it',
      ({ becomes }) => {
        becomes({ lit: false, by: 'http', at: 3 });
        becomes({ lit: true, by: 'voice', at: 4 });
      },
    ],
  ])('stay lit after %s', (_, happens) => {
    const rig = panel();
    rig.light();
    rig.driver.tell({ type: 'panel.rest' });
    rig.pass(REST_MS - 1);
    happens(rig);
    rig.pass(REST_MS);
    expect(rig.orders()).toEqual([on]);
  });

  it('go dark although the room’s light set their level, and the parts were started again', () => {
    const { becomes, driver, light, orders, pass, registry } = panel();
    light();
    becomes({ lit: true, by: 'auto-brightness', at: 3 });
    registry.put('input', undefined);
    registry.put('input', input(null));
    driver.tell({ type: 'panel.rest' });
    pass(REST_MS);
    expect(orders()).toEqual([on, off]);
  });

  it('stay lit for the next turn, and go dark after that one', () => {
    const { driver, light, orders, pass } = panel();
    light();
    driver.tell({ type: 'panel.rest' });
    pass(REST_MS - 1);
    driver.tell({ type: 'panel.light' });
    pass(REST_MS * 4);
    expect(orders()).toEqual([on]);
    driver.tell({ type: 'panel.rest' });
    pass(REST_MS);
    expect(orders()).toEqual([on, off]);
  });

  it('are not touched by a turn that found them lit', () => {
    const { becomes, driver, orders, pass, timers } = panel();
    becomes({ lit: true, by: 'touch', at: 2 });
    driver.tell({ type: 'panel.light' });
    driver.tell({ type: 'panel.rest' });
    expect(timers.size).toBe(0);
    pass(REST_MS);
    expect(orders()).toEqual([]);
  });

  it('go dark after a part that ended in the turn, also while the next one runs', () => {
    const { again, driver, light, orders, pass } = panel();
    light();
    driver.stop();
    const next = again();
    pass(REST_MS);
    expect(orders()).toEqual([on, off]);
    next.stop();
  });
});

describe('the button of the profile', () => {
  /** What the input part shows after these changes of buttons. */
  const after = (buttons: Buttons, ...changes: readonly (readonly [string, boolean, number])[]): Buttons =>
    changes.reduce(
      (now, [name, down, ago]) => afterChange(now, { name, down, at: NOW - ago, longMs: 500, doubleMs: 300 }),
      buttons,
    );

  it('is reported as it is pressed and released, by the time of the press', () => {
    const { driver, registry } = panel();
    const pressed = after(noButtons, ['top', true, 30]);
    registry.put('input', input(5, pressed));
    registry.put('input', input(5, after(pressed, ['top', false, 10])));
    expect(driver.facts).toEqual([
      { type: 'button.pressed', at: 970 },
      { type: 'button.released', at: 990 },
    ]);
  });

  it('is reported if all of it came at once, twice', () => {
    const { driver, registry } = panel();
    const quick = after(noButtons, ['top', true, 400], ['top', false, 350], ['top', true, 200], ['top', false, 150]);
    registry.put('input', input(5, quick));
    expect(driver.facts.map(({ at }) => at)).toEqual([600, 650, 800, 850]);
    registry.put('input', input(5, quick));
    expect(driver.facts).toHaveLength(4);
  });

  it('is another one once the setting says so', () => {
    const { driver, registry } = panel();
    const pressed = after(noButtons, ['top', true, 0], ['side', true, 0]);
    registry.put('input', input(5, pressed));
    registry.put('settings', { values: { voice_button: 'side' } });
    const other = after(pressed, ['top', false, 0], ['side', false, 0], ['side', true, 0]);
    registry.put('input', input(5, other));
    registry.put('settings', { values: { voice_button: '' } });
    registry.put('input', input(5, after(other, ['side', false, 0])));
    expect(driver.facts.map(({ type }) => type)).toEqual([
      'button.pressed',
      'button.released',
      'button.pressed',
      'button.released',
    ]);
  });

  it('is released with the part that reads it, whose first facts are no news', () => {
    const { driver, registry } = panel();
    registry.put('input', input(5, after(noButtons, ['top', true, 0])));
    registry.put('input', undefined);
    registry.put('input', input(5, after(noButtons, ['top', true, 0])));
    expect(driver.facts.map(({ type }) => type)).toEqual(['button.pressed', 'button.released']);
  });

  it('is released although its release was left out of too many events', () => {
    const { driver, registry } = panel();
    const pressed = after(noButtons, ['top', true, 100]);
    const flooded = { ...pressed, rate: { since: NOW - 100, count: 40 } };
    const released = after(flooded, ['top', false, 50]);
    registry.put('input', input(5, pressed));
    registry.put('input', input(5, released));
    expect(released.dropped).toBe(1);
    expect(driver.facts.map(({ type }) => type)).toEqual(['button.pressed', 'button.released']);
  });

  it('was pressed at most 10 s ago, whatever the clock was set to', () => {
    const { driver, registry } = panel();
    registry.put('input', input(5, after(noButtons, ['top', true, 3_600_000])));
    expect(driver.facts).toEqual([{ type: 'button.pressed', at: 1000 - 10_000 }]);
  });
});
