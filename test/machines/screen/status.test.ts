import { describe, expect, it } from 'vitest';

import type { TreeNode } from '#machines/kit/status.ts';
import { verdictOf, working } from '#machines/kit/verdict.ts';
import type { ScreenContext } from '#machines/screen/events.ts';
import { status } from '#machines/screen/status.ts';
import { factsFrom } from '#test/fakes/facts.ts';

const lit: ScreenContext = {
  verdict: working('found', 'Found.'),
  display: {
    name: 'eDP-1',
    rawMax: 100,
    rawMin: 1,
    power: true,
    routes: { brightness: 'backlight', power: 'wlopm' },
  },
  lit: true,
  wanted: null,
  brightness: 90,
  minimumPercent: 1,
  lastBrightness: 90,
  seen: true,
  changed: null,
  fault: null,
};
const none: ScreenContext = {
  ...lit,
  verdict: verdictOf('not_here', 'x', 'None.'),
  display: null,
  lit: null,
  brightness: null,
  seen: false,
};
const unknown = { state: 'not_here', name: null, lit: null, brightness: null, routes: null, fault: null };

describe('the displays in the status', () => {
  it('are those that were found, by their numbers, and the first', () => {
    const dark = { ...lit, lit: false, brightness: null, fault: 'still-lit' };
    const facts = factsFrom({ screen: none, screen_2: none, screen_3: lit, screen_4: dark });
    const shown = {
      state: 'working',
      name: 'eDP-1',
      lit: true,
      brightness: 90,
      routes: { brightness: 'backlight', power: 'wlopm' },
      fault: null,
    };
    expect(status.view(facts).displays).toEqual({
      '1': unknown,
      '3': shown,
      '4': { ...shown, lit: false, brightness: null, fault: 'still-lit' },
    });
  });

  it('keep one that was found and has gone', () => {
    const facts = factsFrom({ screen: lit, screen_2: { ...none, seen: true } });
    expect(status.view(facts).displays['2']).toEqual(unknown);
  });

  it('have the first as unknown while its part is away, and none where the profile has none', () => {
    const facts = factsFrom({});
    const child: TreeNode = { ...facts.tree, id: 'screen', kind: 'worker', phase: 'parked' };
    expect(status.view(facts).displays).toEqual({});
    expect(status.view({ ...facts, tree: { ...facts.tree, children: [child] } }).displays).toEqual({
      '1': { ...unknown, state: 'checking' },
    });
  });
});
