import { and, createMachine, fromTransition, not, setup } from 'xstate';
import { describe, expect, it } from 'vitest';

import { boundedValue, chartOf } from '#actors/kit/chart.ts';
import { ChartNode } from '#machines/status/inspection.ts';
import { placeholder } from '#machines/kit/placeholder.ts';

const machine = setup({
  actors: { device: placeholder<{ type: 'x' }, undefined, never>() },
  delays: { settle: 1 },
  guards: { isA: () => true, isB: () => true },
}).createMachine({
  id: 'thing',
  initial: 'off',
  invoke: { id: 'device', src: 'device', onError: '.ended' },
  on: { stop: '.ended' },
  states: {
    off: {
      after: { settle: 'on' },
      on: {
        look: {},
        go: [
          { guard: 'isA', target: 'on' },
          { guard: and(['isA', not('isB')]), target: 'ended' },
        ],
      },
    },
    on: { type: 'parallel', states: { one: { initial: 'x', states: { x: {} } }, two: {} } },
    ended: { type: 'final' },
  },
});

describe('a chart', () => {
  const { root, cut } = chartOf(machine);
  const states = root?.states ?? [];

  it('has the states within each other, with their kinds and the first one', () => {
    expect(ChartNode().safeParse(root).error).toBeUndefined();
    expect(cut).toBe(false);
    expect(states.map(({ id, name, kind, initial }) => [id, name, kind, initial])).toEqual([
      ['thing.off', 'off', 'atomic', true],
      ['thing.on', 'on', 'parallel', false],
      ['thing.ended', 'ended', 'final', false],
    ]);
    expect(states[1]?.states[0]?.states.map(({ id, initial }) => [id, initial])).toEqual([['thing.on.one.x', true]]);
  });

  it('has the ways out, those that the library makes among them', () => {
    expect(root).toMatchObject({ runs: ['device'] });
    expect(root?.edges).toContainEqual({ kind: 'event', label: 'stop', guard: null, targets: ['thing.ended'] });
    expect(root?.edges).toContainEqual({ kind: 'error', label: 'device', guard: null, targets: ['thing.ended'] });
    expect(states[0]?.edges).toEqual(
      expect.arrayContaining([
        { kind: 'after', label: 'settle', guard: null, targets: ['thing.on'] },
        { kind: 'event', label: 'look', guard: null, targets: [] },
        { kind: 'event', label: 'go', guard: 'isA', targets: ['thing.on'] },
        { kind: 'event', label: 'go', guard: 'isA, isB', targets: ['thing.ended'] },
      ]),
    );
  });

  it('is none where there are no states', () => {
    expect(chartOf(fromTransition((state: number) => state, 0))).toEqual({ root: null, cut: false });
  });

  it('is cut where it is too large', () => {
    const large = createMachine({
      initial: 's0',
      states: Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`s${n}`, {}])),
    });
    const chart = chartOf(large);
    expect([chart.cut, chart.root?.states.length]).toEqual([true, 199]);
    const many = createMachine({ on: Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`e${n}`, {}])) });
    expect([chartOf(many).cut, chartOf(many).root?.edges.length]).toEqual([true, 800]);
  });
});

describe('a state value', () => {
  it.each([
    ['on', 'on'],
    [{ on: { one: 'x', two: {} } }, { on: { one: 'x', two: {} } }],
    [7, null],
    ['x'.repeat(500), `${'x'.repeat(119)}…`],
  ])('%j is kept as %j', (value, kept) => {
    expect(boundedValue(value)).toEqual(kept);
  });

  it('has an end', () => {
    const deep: Record<string, unknown> = {};
    deep['again'] = deep;
    expect(JSON.stringify(boundedValue(deep)).length).toBeLessThan(200);
  });
});
