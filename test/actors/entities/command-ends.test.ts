import { describe, expect, it, vi } from 'vitest';

import { commandRunner } from '#actors/entities/run-commands.ts';
import type { AskOutcome } from '#actors/kit/registry.ts';
import type { AnyActor } from '#machines/actors.ts';
import type { CommandValue } from '#machines/entities/command.ts';
import { entityRows } from '#machines/entities.ts';
import type { EntityRow } from '#machines/kit/entity.ts';
import { working } from '#machines/kit/verdict.ts';
import { fakeAdmission } from '#test/fakes/admission.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

function rowOf(key: string): EntityRow<AnyActor> {
  const row = entityRows.find((one) => one.key === key);
  if (row === undefined) throw new Error(`there is no ${key}`);
  return row;
}

const verdict = working('found', 'Found.');
const led = { verdict, ability: { colour: 'rgb', effects: true }, on: true, level: 9, fault: null };
const writing = { here: 'writing' };
const idle = { here: 'idle' };
const shown = { up: { showing: 'live' } };
const navigation = (outcome: string, origin = 'home-assistant', message: string | null = null) => ({
  lastEnd: null,
  path: '/a/0',
  lastNavigation: { outcome, refusal: null, message, origin, tookMs: 1, at: 1 },
});

/** The runner over a registry of fixed facts, on a clock that the test steps. */
function start() {
  const registry = fakeRegistry({
    led,
    power: { verdict, route: 'logind', lastReboot: null, busy: false },
    renderer: { lastEnd: null, path: '/a/0', lastNavigation: null },
    settings: { values: {} },
  });
  registry.put('led', led, idle);
  registry.put('renderer', { lastEnd: null, path: '/a/0', lastNavigation: null }, shown);
  const admission = fakeAdmission('hardened');
  const ended: [string, string | null][] = [];
  const noted: [string, string][] = [];
  const timers = new Set<() => void>();
  const aborted = new AbortController();
  const run = commandRunner({
    registry,
    admission,
    source: { origin: 'home-assistant', peer: 'aaaa' },
    scope: { guard: (fn) => fn, signal: aborted.signal },
    refuse: (key, { reason }) => void noted.push([key, reason]),
    taken: (key) => void noted.push([key, 'taken']),
    after: (_, fn) => {
      timers.add(fn);
      return () => timers.delete(fn);
    },
  });
  return {
    registry,
    admission,
    ended,
    noted,
    aborted,
    timers,
    command: (key: string, value: CommandValue, name = key) =>
      run(rowOf(key), value, (refusal) => void ended.push([name, refusal === null ? null : refusal.reason])),
    plain: (key: string, value: CommandValue) => run(rowOf(key), value),
    expire: () => {
      for (const fn of timers) fn();
    },
    told: () => registry.told.map(({ event }) => event.type),
  };
}

describe('the end of a command to hardware', () => {
  const begin = (t: ReturnType<typeof start>): void => {
    t.registry.put('led', led, writing);
    t.command('led', { on: true });
  };

  it('comes with the write, once', () => {
    const t = start();
    begin(t);
    expect([t.ended, t.noted]).toEqual([[], [['led', 'taken']]]);
    t.registry.put('led', led, idle);
    t.registry.put('led', { ...led, fault: 'EIO' }, idle);
    t.expire();
    expect(t.ended).toEqual([['led', null]]);
    expect(t.timers.size).toBe(0);
  });

  it('comes at once where the write has ended by then', () => {
    const t = start();
    t.command('led', { on: true });
    expect([t.ended, t.timers.size]).toEqual([[['led', null]], 0]);
  });

  it.each([
    ['that it refused', { ...led, fault: 'EIO' }, idle, 'failed'],
    ['that went away', led, 'away', 'not-here'],
  ])('tells of hardware %s', (_, facts, state, reason) => {
    const t = start();
    begin(t);
    t.registry.put('led', facts, state);
    expect(t.ended).toEqual([['led', reason]]);
    // Over the broker, where nothing waits for the end, it was taken.
    expect(t.noted).toEqual([['led', 'taken']]);
  });

  it('is that its part ended, or did not answer in time', () => {
    const t = start();
    begin(t);
    t.registry.put('led', undefined);
    begin(t);
    t.expire();
    expect(t.ended).toEqual([
      ['led', 'ended'],
      ['led', 'timeout'],
    ]);
  });

  it('is the same for all that wait for one write', () => {
    const t = start();
    begin(t);
    t.command('led', { brightness: 7 }, 'second');
    t.registry.put('led', led, idle);
    expect(t.ended).toEqual([
      ['led', null],
      ['second', null],
    ]);
  });

  it('is that the panel stops', () => {
    const t = start();
    begin(t);
    t.aborted.abort();
    t.registry.put('led', led, idle);
    expect([t.ended, t.timers.size]).toEqual([[['led', 'stopping']], 0]);
  });
});

describe('a command whose end is awaited', () => {
  it.each<[string, string, CommandValue, string, unknown, string]>([
    [
      'of hardware that is gone',
      'led',
      { on: true },
      'led',
      { ...led, verdict: { ...verdict, state: 'not_here' } },
      'not-here',
    ],
    [
      'beyond what the light can do',
      'led',
      { effect: 'blink' },
      'led',
      { ...led, ability: { colour: 'level', effects: false } },
      'bad-value',
    ],
    [
      'to reboot during a reboot',
      'reboot',
      null,
      'power',
      { verdict, route: 'logind', lastReboot: null, busy: true },
      'not-here',
    ],
  ])('%s is refused as `POST /api/v1/action` does, and reaches no actor', (_, key, value, id, facts, reason) => {
    const t = start();
    t.registry.put(id, facts);
    t.command(key, value);
    expect([t.ended, t.told()]).toEqual([[[key, reason]], []]);
    // What waits for no end is sent as it always was.
    t.plain(key, value);
    expect(t.told()).toHaveLength(1);
    expect(t.ended).toHaveLength(1);
  });

  it('is refused for its value, and for its actor that does not run', () => {
    const t = start();
    t.command('navigate', '  ');
    t.registry.put('power', undefined);
    t.command('led', { rgb: { red: 0, green: 0, blue: 0 } });
    t.command('reboot', null);
    expect(t.ended).toEqual([
      ['navigate', 'bad-path'],
      ['led', 'colour-black'],
      ['reboot', 'absent'],
    ]);
  });

  it('to reboot ends once the machine has begun', () => {
    const t = start();
    t.command('reboot', null);
    const facts = { verdict, route: 'logind', busy: true };
    t.registry.put('power', { ...facts, lastReboot: { origin: 'home-assistant', at: 1, outcome: 'asked' } });
    expect(t.ended).toEqual([]);
    t.registry.put('power', { ...facts, lastReboot: { origin: 'home-assistant', at: 2, outcome: 'begun' } });
    expect(t.ended).toEqual([['reboot', null]]);
  });
});

describe('the end of a command to the dashboard', () => {
  it.each([
    ['what it shows', navigation('shown'), null],
    ['what it keeps for later', navigation('kept'), null],
    ['another page', navigation('elsewhere', 'home-assistant', 'Another page opened.'), 'elsewhere'],
    ['a command of another source', navigation('shown', 'http'), 'superseded'],
  ])('is %s', (_, facts, expected) => {
    const t = start();
    t.command('navigate', '/a/1');
    expect(t.ended).toEqual([]);
    t.registry.put('renderer', facts, shown);
    expect(t.ended).toEqual([['navigate', expected]]);
  });

  it('is superseded by a newer one, whose end follows', () => {
    const t = start();
    t.command('navigate', '/a/1', 'first');
    t.command('reload', null, 'second');
    expect(t.ended).toEqual([['first', 'superseded']]);
    t.registry.put('renderer', navigation('shown'), shown);
    expect(t.ended).toEqual([
      ['first', 'superseded'],
      ['second', null],
    ]);
  });
});

describe('the end of a command that is answered', () => {
  const setting = (t: ReturnType<typeof start>, name: string): void => t.command('auto_sleep', true, name);

  it.each<[string, AskOutcome<unknown>, string | null]>([
    ['saved', { ok: true, value: { status: 'saved', applied: [] } }, null],
    ['refused', { ok: true, value: { status: 'refused', reasons: { it: 'No.' } } }, 'refused'],
    ['late', { ok: false, reason: 'timeout' }, 'timeout'],
  ])('is its answer: %s', async (_, answer, expected) => {
    const t = start();
    t.registry.answer = () => answer;
    setting(t, 'it');
    await vi.waitFor(() => expect(t.ended).toEqual([['it', expected]]));
  });

  it('is superseded where a newer one took its place, each exactly once', async () => {
    const t = start();
    t.registry.answer = () => ({ ok: true, value: { status: 'saved', applied: [] } });
    for (const name of ['one', 'two', 'three', 'four']) setting(t, name);
    await vi.waitFor(() => expect(t.ended).toHaveLength(4));
    expect(t.ended).toEqual([
      ['two', 'superseded'],
      ['three', 'superseded'],
      ['one', null],
      ['four', null],
    ]);
  });

  it('is that the panel stops', async () => {
    const t = start();
    t.registry.answer = () => new Promise(() => {}) as never;
    setting(t, 'one');
    setting(t, 'two');
    t.aborted.abort();
    expect(t.ended).toEqual([
      ['one', 'stopping'],
      ['two', 'stopping'],
    ]);
  });
});
