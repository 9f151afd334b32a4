import { describe, expect, it } from 'vitest';

import { arrive, calm, FLOOD_BURST, type Flow, paused, turned } from '#machines/publisher/flood.ts';

const join = (older: string, newer: string): string => `${older}+${newer}`;
const flooded = (command: string | null): Flow<string> => ({
  flooded: true,
  waiting: command === null ? null : { command },
});
const full: Flow<string> = { flooded: false, count: FLOOD_BURST };

describe('commands of an entity that is told', () => {
  it.each<[string, Flow<string>, Flow<string>, string | null]>([
    ['the first is carried out', calm, { flooded: false, count: 1 }, 'new'],
    ['so is the last below the bound', { flooded: false, count: FLOOD_BURST - 1 }, full, 'new'],
    ['with one more it is a flood', full, flooded('new'), null],
    ['in which it waits', flooded(null), flooded('new'), null],
    ['and joins what waits already', flooded('old'), flooded('old+new'), null],
  ])('a command: %s', (_, before, flow, next) => {
    expect(arrive(before, 'new', join)).toEqual({ flow, next: next === null ? null : { command: next } });
  });

  it.each<[string, Flow<string>, Flow<string>]>([
    ['counts anew', full, calm],
    ['ends no flood', flooded('old'), flooded('old')],
  ])('a turn of the event loop %s', (_, before, after) => {
    expect(turned(before)).toEqual(after);
  });

  it.each<[string, Flow<string>, Flow<string>, string | null]>([
    ['what came in it is carried out', flooded('old'), flooded(null), 'old'],
    ['one in which nothing came ends the flood', flooded(null), calm, null],
  ])('a pause: %s', (_, before, flow, next) => {
    expect(paused(before)).toEqual({ flow, next: next === null ? null : { command: next } });
  });
});
