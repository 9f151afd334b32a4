import { describe, expect, it } from 'vitest';

import { objectionOf } from '#machines/entities/command.ts';
import { endOfNoted } from '#machines/entities/outcome.ts';
import { entityRows } from '#machines/entities.ts';
import type { CommandOutcome } from '#machines/kit/entity.ts';
import { working } from '#machines/kit/verdict.ts';
import { rendererStates } from '#test/fakes/renderer.ts';

function row(key: string) {
  const found = entityRows.find((one) => one.key === key);
  if (found === undefined) throw new Error(`there is no ${key}`);
  return found;
}
const well = working('found', 'Found.');
const gone = { ...well, state: 'not_here', detail: 'It is unplugged.' };
const looking = { ...well, state: 'checking', detail: 'Looking.' };

describe('a command that its hardware took', () => {
  const end = (key: string, value: object | string, context: object) =>
    row(key).ends?.({ value: value as never, context }, {} as never);
  const writing = (present: string) => ({ [present]: 'writing' });
  const idle = (present: string) => ({ [present]: 'idle' });

  it.each([
    ['led', 'here', 'away'],
    ['relay1', 'here', 'away'],
    ['volume', 'ready', 'absent'],
    ['screen', 'ready', 'absent'],
  ])('of %s has not ended while it is written, and has an end by its fault', (key, present, absent) => {
    const facts = { fault: null, wanted: true };
    expect(end(key, writing(present), facts)).toBeNull();
    expect(end(key, idle(present), { ...facts, wanted: null })).toEqual({ refused: null });
    expect(end(key, idle(present), { ...facts, fault: 'EIO' })).toMatchObject({ refused: { reason: 'failed' } });
    expect(end(key, idle(present), { ...facts, fault: 'no-answer' })).toMatchObject({
      refused: { reason: 'no-answer' },
    });
    for (const fault of [null, 'gone'])
      expect(end(key, absent, { ...facts, fault, wanted: null })).toMatchObject({ refused: { reason: 'not-here' } });
  });

  it('of a screen has ended while only the light of the room is followed', () => {
    expect(end('screen', writing('ready'), { fault: null, wanted: null })).toEqual({ refused: null });
  });

  it('to reboot ends once the machine began it or refused', () => {
    const since = { lastReboot: { origin: 'http', at: 1, outcome: 'begun' }, verdict: well };
    const reboot = (outcome: string, verdict = well) =>
      row('reboot').ends?.(
        { value: 'rebooting', context: { lastReboot: { origin: 'http', at: 2, outcome }, verdict } },
        { value: 'ready', context: since },
      );
    expect(row('reboot').ends?.({ value: 'x', context: since }, { value: 'x', context: since })).toBeNull();
    expect([reboot('asked'), reboot('begun')]).toEqual([null, { refused: null }]);
    expect(reboot('refused')).toMatchObject({ refused: { reason: 'failed' } });
    expect(reboot('refused', { ...well, state: 'needs_you', detail: 'Add the user to a group.' })).toEqual({
      refused: { reason: 'failed', message: 'Add the user to a group.' },
    });
  });
});

describe('a command that its actor notes', () => {
  const noted = (outcome: string, over: Partial<CommandOutcome> = {}): CommandOutcome => ({
    outcome,
    refusal: null,
    message: null,
    origin: 'home-assistant',
    at: 1,
    ...over,
  });
  it.each([
    ['nothing yet', null, null],
    ['what is shown', noted('shown'), { refused: null }],
    ['what is kept', noted('kept', { message: 'Kept.' }), { refused: null }],
    [
      'another page',
      noted('elsewhere', { message: 'Another.' }),
      { refused: { reason: 'elsewhere', message: 'Another.' } },
    ],
    ['a command of another source', noted('shown', { origin: 'http' }), { refused: { reason: 'superseded' } }],
  ])('has with %s its end', (_, last, expected) => {
    const end = endOfNoted(null, last, 'home-assistant');
    if (expected === null) expect(end).toBeNull();
    else expect(end).toMatchObject(expected);
    expect(endOfNoted(last, last, 'home-assistant')).toBeNull();
  });
});

describe('what a part refuses as it is now', () => {
  const level = { ability: { colour: 'level', effects: false }, verdict: well };
  it.each<[string, string, Parameters<typeof objectionOf>[1], object, string | null]>([
    ['a light that can', 'buttons', { brightness: 7 }, level, null],
    ['a light without colours', 'buttons', { rgb: { red: 1, green: 2, blue: 3 } }, level, 'bad-value'],
    ['a light without effects', 'buttons', { effect: 'blink' }, level, 'bad-value'],
    [
      'a light that is only switched',
      'button_led1',
      { brightness: 7 },
      { ...level, ability: { colour: 'switch' } },
      'bad-value',
    ],
    ['a light that is gone', 'led', { on: true }, { ability: null, verdict: gone }, 'not-here'],
    ['a light that is looked for', 'led', { on: true }, { ability: null, verdict: looking }, 'restarting'],
    ['a relay', 'relay1', true, { verdict: well }, null],
    ['a relay that is gone', 'relay1', true, { verdict: gone }, 'not-here'],
    ['a screen that is gone', 'screen', { on: true }, { verdict: gone }, 'not-here'],
    ['a volume without sound', 'volume', 7, { verdict: gone }, 'not-here'],
    ['a reboot', 'reboot', null, { verdict: well, busy: false }, null],
    ['a reboot during another', 'reboot', null, { verdict: gone, busy: true }, 'not-here'],
    ['a reboot that is looked into', 'reboot', null, { verdict: looking, busy: true }, 'restarting'],
    ['a setting', 'auto_sleep', true, {}, null],
  ])('of %s', (_, key, value, context, reason) => {
    expect(objectionOf(row(key), value, { value: 'x', context })?.reason ?? null).toBe(reason);
  });

  it.each([
    ['showing', null],
    ['starting', 'not-here'],
    ['off', 'not-here'],
  ] as const)('of a dashboard that is %s', (phase, reason) => {
    const snapshot = {
      value: rendererStates[phase],
      context: { lastEnd: null, desired: null, mode: 'none', restarts: [] },
    };
    for (const [key, value] of [
      ['navigate', '/a/0'],
      ['reload', null],
    ] as const)
      expect(objectionOf(row(key), value, snapshot)?.reason ?? null).toBe(reason);
  });
});
