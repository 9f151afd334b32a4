import { describe, expect, it } from 'vitest';

import { type CommandValue, joinCommands } from '#machines/entities/command.ts';
import { enter, type InFlight, leave } from '#machines/entities/in-flight.ts';
import { mergeOf } from '#machines/kit/merge-settings.ts';

describe('commands in flight', () => {
  it('run one at a time for each entity, then the newest of those that waited', () => {
    let inFlight: InFlight<string> = {};
    const come = (key: string, command: string): string | undefined => {
      const step = enter(inFlight, key, command);
      inFlight = step.inFlight;
      return step.next?.command;
    };
    const end = (key: string): string | undefined => {
      const step = leave(inFlight, key);
      inFlight = step.inFlight;
      return step.next?.command;
    };
    expect([come('a', '1'), come('a', '2'), come('a', '3'), come('b', '4')]).toEqual(['1', undefined, undefined, '4']);
    expect([end('a'), end('a'), end('b'), end('b')]).toEqual(['3', undefined, undefined, undefined]);
    expect(inFlight).toEqual({});
  });

  it.each<[string, CommandValue, CommandValue, CommandValue]>([
    ['numbers', 1, 2, 2],
    ['presses', null, null, null],
    ['a light: two levels', { on: true, brightness: 1 }, { on: true, brightness: 2 }, { on: true, brightness: 2 }],
    ['a light: a level, then an effect', { brightness: 1 }, { effect: 'blink' }, { brightness: 1, effect: 'blink' }],
    ['a light: a level, then off', { on: true, brightness: 1 }, { on: false }, { on: false }],
    ['a light: off, then on', { on: false }, { on: true }, { on: true }],
    ['a light: level 0, then on', { brightness: 0 }, { on: true }, { on: true }],
  ])('of %s: the newest wins', (_, older, newer, joined) => {
    expect(joinCommands(older, newer)).toEqual(joined);
  });
});

describe('the command that changes settings', () => {
  it.each([
    [{ status: 'saved', applied: [] }, null],
    [{ status: 'no-op' }, null],
    [
      { status: 'refused', reasons: { home: 'must be a path' } },
      { reason: 'refused', message: 'must be a path' },
    ],
    [
      { status: 'refused', reasons: {} },
      { reason: 'refused', message: 'This value is not allowed.' },
    ],
    [
      { status: 'commit-failed', reason: 'ENOSPC' },
      { reason: 'commit-failed', message: 'The setting could not be written to the disk.' },
    ],
    [{ status: 'busy' }, { reason: 'busy', message: expect.stringContaining('Another operation') }],
  ])('is asked, and %o means %o', (outcome, refusal) => {
    const command = mergeOf({ home: '/' });
    if (!command.ok || command.value.do !== 'ask') throw new Error('not asked');
    expect(command.value.event).toEqual({ type: 'settings.merge', patch: { home: '/' } });
    expect(command.value.answered(outcome)).toEqual(refusal);
  });
});
