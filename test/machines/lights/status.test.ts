import { describe, expect, it } from 'vitest';

import type { TreeNode } from '#machines/kit/status.ts';
import { verdictOf, working } from '#machines/kit/verdict.ts';
import type { LightContext } from '#machines/lights/events.ts';
import { status } from '#machines/lights/status.ts';
import { factsFrom } from '#test/fakes/facts.ts';

const lit: LightContext = {
  verdict: working('found', 'Found.'),
  ability: { colour: 'rgb', effects: true },
  on: true,
  level: 128,
  lastLevel: 128,
  rgb: { red: 255, green: 120, blue: 0 },
  effect: 'pulse',
  fault: null,
  heldBy: null,
  holdShown: false,
};
const unknown = {
  state: 'checking',
  on: null,
  brightness: null,
  rgb: null,
  effect: null,
  effects: [],
  fault: null,
};

describe('the lights in the status', () => {
  it.each<[string, Partial<LightContext>, object]>([
    [
      'is lit',
      {},
      {
        state: 'working',
        on: true,
        brightness: 128,
        rgb: [255, 120, 0],
        effect: 'pulse',
        effects: ['none', 'blink', 'pulse', 'strobe'],
        fault: null,
      },
    ],
    [
      'is off and refused something',
      { on: false, level: null, effect: 'none', fault: 'EIO' },
      { on: false, brightness: null, rgb: [255, 120, 0], effect: 'none', fault: 'EIO' },
    ],
    [
      'has no colour',
      { ability: { colour: 'level', effects: false } },
      { brightness: 128, rgb: null, effect: null, effects: [] },
    ],
    ['knows on and off alone', { ability: { colour: 'switch', effects: false } }, { on: true, brightness: null }],
    [
      'is away',
      { verdict: verdictOf('not_here', 'x', 'Gone.'), on: null, level: null },
      { state: 'not_here', on: null, brightness: null, rgb: null, effect: null },
    ],
    [
      'was never found',
      { verdict: verdictOf('not_here', 'x', 'None.'), ability: null, on: null },
      {
        ...unknown,
        state: 'not_here',
      },
    ],
  ])('one that %s', (_, over, shown) => {
    const { lights } = status.view(factsFrom({ led: { ...lit, ...over } }));
    expect(Object.keys(lights)).toEqual(['led']);
    expect(lights.led).toMatchObject(shown);
  });

  it('have effects for the LED alone, as Home Assistant is offered them', () => {
    expect(status.view(factsFrom({ buttons: lit })).lights.buttons).toMatchObject({ effect: null, effects: [] });
  });

  it('are unknown while their part is away, and not there where it is none of this panel', () => {
    const facts = factsFrom({});
    const child: TreeNode = { ...facts.tree, id: 'button_led1', kind: 'worker', phase: 'parked' };
    expect(status.view(facts).lights).toEqual({});
    expect(status.view({ ...facts, tree: { ...facts.tree, children: [child] } }).lights).toEqual({
      button_led1: unknown,
    });
  });
});
