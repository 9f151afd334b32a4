import { describe, expect, it } from 'vitest';

import { HOUR, live, MINUTE, panel, SECOND, START } from './panel.ts';

/** From 12:30 to 14:00; a panel begins at noon. */
const offHours = '12:30-14:00';
const aDay = { source: 'touch', touchDelaySeconds: 86_400 } as const;

describe('the lease of a touch', () => {
  it('is as short as the delay that is chosen meanwhile', () => {
    const one = panel({ settings: aDay });
    one.feed({ kind: 'touch' });
    one.touch();
    one.pass(HOUR);
    one.set({ touchDelaySeconds: 60 });
    one.pass(MINUTE - SECOND);
    expect(one.said()).toEqual([]);
    one.pass(2 * SECOND);
    expect(one.said()).toEqual(['off auto-sleep']);
  });

  it('is not longer by a delay that is chosen meanwhile, before the next touch', () => {
    const one = panel({ settings: { ...aDay, touchDelaySeconds: 60 } });
    one.feed({ kind: 'touch' });
    one.touch();
    one.pass(30 * SECOND);
    one.set({ touchDelaySeconds: 86_400 });
    one.pass(31 * SECOND);
    expect(one.said()).toEqual(['off auto-sleep']);
  });

  it('does not outlast a change to sensors', () => {
    const one = panel({ settings: aDay });
    one.feed({ kind: 'touch' });
    one.touch();
    one.pass(SECOND);
    one.set({ source: 'home_assistant' });
    one.begin();
    one.feed(live('off'));
    one.pass(10 * MINUTE + SECOND);
    expect(one.said()).toEqual(['off auto-sleep']);
  });

  it.each([
    ['an hour at most', {}, HOUR],
    ['the usual time while auto-sleep is off', { enabled: false }, 10 * MINUTE],
  ])('holds against the hours for %s', (_, settings, lasts) => {
    const one = panel({ settings: { ...aDay, offHours, ...settings } });
    one.feed({ kind: 'touch' });
    one.pass(29 * MINUTE);
    one.touch();
    one.pass(lasts - SECOND);
    expect(one.said()).toEqual([]);
    one.pass(2 * SECOND);
    expect(one.said()).toEqual(['off clock']);
  });
});

describe('the end that is named', () => {
  it('is that of a hand, also within the hours', () => {
    const one = panel({ settings: { offHours } });
    one.pass(25 * MINUTE);
    one.feed(live('off'));
    one.pass(4 * MINUTE);
    const until = one.moment().now + 10 * MINUTE;
    one.touch();
    one.pass(SECOND);
    expect(one.view()).toMatchObject({ reason: 'touch_lease', until });
    one.pass(10 * MINUTE - 2 * SECOND);
    expect(one.view()).toMatchObject({ reason: 'hand_lease', until });
    expect(one.said()).toEqual([]);
    one.pass(2 * SECOND);
    expect(one.said()).toEqual(['off clock']);
  });

  it.each([
    ['the sources are off', live('off'), 'presence_lease'],
    ['one of them is away', live('off', 'unavailable'), 'partial_source_loss'],
  ])('is the begin of the hours while %s', (_, feed, reason) => {
    const one = panel({ settings: { offHours } });
    one.pass(25 * MINUTE);
    one.feed(feed);
    one.pass(SECOND);
    expect(one.view()).toMatchObject({ reason, until: START + 30 * MINUTE });
  });

  it.each([
    ['ahead', 400 * 24 * HOUR],
    ['back', -24 * HOUR],
  ])('is right within a minute of a clock that was set %s', (_, by) => {
    const one = panel();
    one.feed(live('off'));
    one.pass(SECOND);
    one.setClock(by);
    one.pass(MINUTE);
    expect(one.view().until).toBe(START + by + 10 * MINUTE);
    expect(one.said()).toEqual([]);
  });
});
