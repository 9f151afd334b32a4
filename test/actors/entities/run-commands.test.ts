import { describe, expect, it, vi } from 'vitest';

import { commandRunner } from '#actors/entities/run-commands.ts';
import type { Admitted } from '#actors/kit/admission.ts';
import type { AskOutcome } from '#actors/kit/registry.ts';
import type { AnyActor } from '#machines/actors.ts';
import type { CommandValue } from '#machines/entities/command.ts';
import { rowsFromSettings } from '#machines/entities/from-settings.ts';
import type { AnyRow, EntityRow } from '#machines/kit/entity.ts';
import { ok, refuse } from '#machines/kit/result.ts';
import { rows as powerRows } from '#machines/power/entities.ts';
import { entityRows } from '#machines/entities.ts';
import { describeSetting } from '#machines/settings/registry.ts';
import { fakeAdmission, waits } from '#test/fakes/admission.ts';
import { askOf, fakeRegistry } from '#test/fakes/registry.ts';
import { z } from 'zod';

const meta = { help: 'A.', group: 'system', tier: 'basic', scope: 'device' };
const outside = describeSetting(
  'outside',
  z
    .boolean()
    .default(false)
    .meta({ ...meta, title: 'Outside', ha: { entityKind: 'switch', icon: 'mdi:x' }, consent: 'DEVICE_REBOOT' }),
);
const program = describeSetting(
  'program',
  z
    .enum(['builtin', 'firefox'])
    .default('builtin')
    .meta({
      ...meta,
      title: 'Program',
      ha: { entityKind: 'select', icon: 'mdi:x' },
      protects: { operation: 'DISPLAY_CONFIGURATION' },
    }),
);
const [outsideRow, programRow] = rowsFromSettings([outside, program]);

const told = (name: string): AnyRow =>
  ({
    entityKind: 'text',
    key: 'message',
    name: 'Message',
    maxLength: 20,
    actor: 'power',
    available: ({ context }) => (context as { readonly route?: unknown }).route !== null,
    read: () => '',
    protects: name === 'some' ? (value) => (value === 'open' ? null : 'DEVICE_REBOOT') : name,
    write: (text) => (text === '' ? refuse('empty', 'It is empty.') : ok({ do: 'tell', event: { type: 'say', text } })),
  }) satisfies AnyRow;

function start(values: Readonly<Record<string, unknown>> = { outside: false, program: 'builtin' }) {
  const registry = fakeRegistry({ power: { route: 'logind' }, settings: { values } });
  registry.answer = () => ({ ok: true, value: { status: 'saved', applied: [] } });
  const admission = fakeAdmission('hardened');
  const ends: [string, string][] = [];
  const aborted = new AbortController();
  const run = commandRunner({
    registry,
    admission,
    source: { origin: 'home-assistant', peer: 'mqtt' },
    scope: { guard: (fn) => fn, signal: aborted.signal },
    refuse: (key, { reason }) => void ends.push([key, reason]),
    taken: (key) => void ends.push([key, 'taken']),
  });
  /** Admissions that wait, in order. */
  const pending: ((admitted: Admitted) => void)[] = [];
  const hold = (): void => {
    admission.answer = () => new Promise((resolve) => pending.push(resolve));
  };
  // The rows of these tests send what no actor of the agent takes.
  const command = (row: unknown, value: CommandValue) => run(row as EntityRow<AnyActor>, value);
  return {
    registry,
    admission,
    ends,
    pending,
    hold,
    command,
    aborted,
    sent: () => registry.told.map(({ event }) => event),
  };
}

describe('a command', () => {
  it('of a protected button is admitted and carried out at once, with its name', () => {
    const t = start();
    t.command(powerRows[0], null);
    expect(t.admission.asked).toEqual([
      {
        operation: 'DEVICE_REBOOT',
        what: 'Reboot',
        peer: 'mqtt',
        trusted: false,
        binds: '["reboot",null]',
        effect: null,
      },
    ]);
    expect(t.sent()).toEqual([{ type: 'power.reboot', origin: 'home-assistant' }]);
    expect(t.ends).toEqual([['reboot', 'taken']]);
  });

  it('that is not admitted is refused at once, and reaches no actor', () => {
    const t = start();
    t.admission.answer = () => waits;
    t.command(powerRows[0], null);
    expect(t.ends).toEqual([['reboot', 'approval-required']]);
    expect(t.sent()).toEqual([]);
  });

  it.each([
    ['whose value is refused', 'DEVICE_REBOOT', {}, '', 'empty'],
    ['of a part that is not running', 'DEVICE_REBOOT', { power: undefined }, 'a', 'absent'],
    ['of an unavailable entity', 'DEVICE_REBOOT', { power: { route: null } }, 'a', 'unavailable'],
    ['protected by what is not known', 'NONSENSE', {}, 'a', 'unknown-operation'],
  ])('%s asks nobody', (_, name, facts, value, reason) => {
    const t = start();
    for (const [id, context] of Object.entries(facts)) t.registry.put(id, context);
    t.command(told(name), value);
    expect(t.ends).toEqual([['message', reason]]);
    expect([t.admission.asked, t.sent()]).toEqual([[], []]);
  });

  it('is judged by its value', () => {
    const t = start();
    t.admission.answer = () => waits;
    t.command(told('some'), 'open');
    t.command(told('some'), 'other');
    expect(t.ends).toEqual([
      ['message', 'taken'],
      ['message', 'approval-required'],
    ]);
    expect(t.sent()).toEqual([{ type: 'say', text: 'open' }]);
  });

  it('waits for its admission, and newer ones behind it; the newest wins', async () => {
    const t = start();
    t.hold();
    for (const text of ['one', 'two', 'three', 'open']) t.command(told('some'), text);
    expect([t.pending.length, t.sent()]).toEqual([1, []]);
    t.pending[0]?.({ ok: true });
    await vi.waitFor(() => expect(t.ends).toHaveLength(2));
    expect(t.sent()).toEqual([
      { type: 'say', text: 'one' },
      { type: 'say', text: 'open' },
    ]);
  });

  it('that was not admitted is replaced by a newer one, which tells how it ended', async () => {
    const t = start();
    t.hold();
    for (const text of ['one', 'open']) t.command(told('some'), text);
    t.pending[0]?.(waits);
    await vi.waitFor(() => expect(t.ends).toEqual([['message', 'taken']]));
    expect(t.sent()).toEqual([{ type: 'say', text: 'open' }]);
    // Nothing waits any more.
    t.command(told('some'), 'two');
    t.pending[1]?.(waits);
    await vi.waitFor(() => expect(t.ends.at(-1)).toEqual(['message', 'approval-required']));
  });

  it('is dropped if the part that sends it ends meanwhile', async () => {
    const t = start();
    t.hold();
    t.command(told('DEVICE_REBOOT'), 'one');
    t.aborted.abort();
    t.pending[0]?.({ ok: true });
    await new Promise((resolve) => setImmediate(resolve));
    expect([t.sent(), t.ends]).toEqual([[], []]);
  });
});

describe('a command to a setting', () => {
  it('with a protected value tells the settings what was admitted', async () => {
    const t = start();
    t.command(programRow, 'firefox');
    await vi.waitFor(() => expect(t.ends).toEqual([['program', 'taken']]));
    expect(t.admission.asked).toMatchObject([
      { operation: 'DISPLAY_CONFIGURATION', what: 'Program: firefox', binds: '["program","firefox"]', effect: null },
    ]);
    expect(t.sent()).toEqual([
      { type: 'settings.merge', patch: { program: 'firefox' }, admitted: ['DISPLAY_CONFIGURATION'] },
    ]);
  });

  it.each([
    ['to the value it has', programRow, 'builtin', { program: 'builtin' }],
    ['that turns off what needs a consent', outsideRow, false, { outside: false }],
  ])('%s asks nobody', async (_, row, value, patch) => {
    const t = start({ outside: true, program: 'builtin' });
    t.command(row, value);
    await vi.waitFor(() => expect(t.ends).toHaveLength(1));
    expect(t.admission.asked).toEqual([]);
    expect(t.sent()).toEqual([{ type: 'settings.merge', patch }]);
  });

  it('is looked at before a person is asked', async () => {
    const registry = fakeRegistry({ settings: { values: { program: 'builtin' } } });
    const admission = fakeAdmission();
    const refusals: string[] = [];
    const run = commandRunner({
      registry: { ...registry, ask: askOf((): AskOutcome<unknown> => ({ ok: false, reason: 'absent' })) },
      admission,
      source: { origin: 'home-assistant', peer: 'mqtt' },
      scope: { guard: (fn) => fn, signal: new AbortController().signal },
      refuse: (_, { reason }) => void refusals.push(reason),
      lookFirst: async () => ({ reason: 'looked', message: 'No.' }),
      taken: () => {},
    });
    run(programRow as unknown as EntityRow<AnyActor>, 'firefox');
    await vi.waitFor(() => expect(refusals).toEqual(['looked']));
    expect(admission.asked).toEqual([]);
  });
});

describe('a command that turns off what only a person turns on', () => {
  const cameraRow = entityRows.find(({ key }) => key === 'camera_enabled') as unknown as EntityRow<AnyActor>;

  it('is obeyed at once, whatever of the same entity is under way', async () => {
    const t = start({ camera_enabled: true });
    t.registry.answer = () => new Promise(() => {}) as never;
    t.command(cameraRow, true);
    t.command(cameraRow, false);
    expect(t.sent()).toContainEqual({ type: 'settings.off', keys: ['camera_enabled'] });
  });

  it('is taken where the disk refuses, since it is off', async () => {
    const t = start({ camera_enabled: true });
    t.registry.answer = () => ({
      ok: true,
      value: { status: 'commit-failed', reason: 'EIO', off: ['camera_enabled'] },
    });
    t.command(cameraRow, false);
    await vi.waitFor(() => expect(t.ends).toEqual([['camera_enabled', 'taken']]));
  });

  it('asks nothing of the settings when it turns on', async () => {
    const t = start({ camera_enabled: false });
    t.command(cameraRow, true);
    await vi.waitFor(() => expect(t.admission.asked).toMatchObject([{ operation: 'CAMERA_ENABLE' }]));
    expect(t.sent().map(({ type }) => type)).not.toContain('settings.off');
  });
});
