import { describe, expect, it, vi } from 'vitest';

import { commandRunner } from '#actors/entities/run-commands.ts';
import type { AnsweredAtPanel } from '#actors/kit/admission.ts';
import type { AnyActor } from '#machines/actors.ts';
import type { CommandValue } from '#machines/entities/command.ts';
import { entityRows } from '#machines/entities.ts';
import type { EntityRow } from '#machines/kit/entity.ts';
import { working } from '#machines/kit/verdict.ts';
import { fakeAdmission, waits } from '#test/fakes/admission.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';

function rowOf(key: string): EntityRow<AnyActor> {
  const row = entityRows.find((one) => one.key === key);
  if (row === undefined) throw new Error(`there is no ${key}`);
  return row;
}

const power = { verdict: working('found', 'Found.'), route: 'logind', lastReboot: null, busy: false };

/** The runner of a panel in Hardened mode, where each protected command waits for a person. */
function start() {
  const registry = fakeRegistry({ power, settings: { values: { camera_enabled: false } } });
  const admission = fakeAdmission('hardened');
  const answers: ((answer: AnsweredAtPanel) => void)[] = [];
  admission.answer = () => waits;
  const ended: [string, string | null][] = [];
  const aborted = new AbortController();
  const run = commandRunner({
    registry,
    admission: {
      ...admission,
      admit: (wanted) => admission.admit(wanted),
      whenAnswered: (_request, _boundMs, signal) =>
        new Promise((resolve) => {
          answers.push(resolve);
          signal.addEventListener('abort', () => resolve('pending'));
        }),
    },
    source: { origin: 'home-assistant', peer: 'aaaa' },
    scope: { guard: (fn) => fn, signal: aborted.signal },
    refuse: () => {},
    taken: () => {},
  });
  return {
    registry,
    admission,
    answers,
    ended,
    aborted,
    command: (key: string, value: CommandValue, name = key) =>
      run(rowOf(key), value, (refusal) => void ended.push([name, refusal === null ? null : refusal.reason])),
    told: () => registry.told.map(({ event }) => event.type),
    waiting: (count = 1) => vi.waitFor(() => expect(answers).toHaveLength(count)),
  };
}

describe('a command that waits for a person', () => {
  it('is carried out once it was approved, asked for by the peer that sent it', async () => {
    const t = start();
    t.command('reboot', null);
    await t.waiting();
    expect([t.ended, t.told()]).toEqual([[], []]);
    expect(t.admission.asked).toMatchObject([{ peer: 'aaaa', operation: 'DEVICE_REBOOT' }]);
    t.admission.answer = () => ({ ok: true });
    t.answers[0]?.('approved');
    await vi.waitFor(() => expect(t.told()).toEqual(['power.reboot']));
    expect(t.admission.asked).toHaveLength(2);
    t.registry.put('power', { ...power, lastReboot: { origin: 'home-assistant', at: 1, outcome: 'begun' } });
    expect(t.ended).toEqual([['reboot', null]]);
  });

  it.each([
    ['denied', 'denied', 'denied'],
    ['not answered in time', 'pending', 'approval-required'],
  ] as const)('is refused where it was %s', async (_, answer, reason) => {
    const t = start();
    t.command('reboot', null);
    await t.waiting();
    t.answers[0]?.(answer);
    await vi.waitFor(() => expect(t.ended).toEqual([['reboot', reason]]));
    expect(t.told()).toEqual([]);
  });

  it('makes room for a newer one of the same entity', async () => {
    const t = start();
    t.command('reboot', null, 'one');
    await t.waiting();
    t.command('reboot', null, 'two');
    await t.waiting(2);
    expect(t.ended).toEqual([['one', 'approval-required']]);
    t.answers[1]?.('denied');
    await vi.waitFor(() => expect(t.ended.at(-1)).toEqual(['two', 'denied']));
  });

  it('has ended once the setting is what the approval made it, and is not sent again', async () => {
    const t = start();
    t.command('camera_enabled', true);
    await t.waiting();
    t.answers[0]?.('approved');
    await new Promise((resolve) => setImmediate(resolve));
    expect(t.ended).toEqual([]);
    t.registry.put('settings', { values: { camera_enabled: true } });
    await vi.waitFor(() => expect(t.ended).toEqual([['camera_enabled', null]]));
    expect(t.told()).toEqual([]);
  });

  it('ends with the part that sends it', async () => {
    const t = start();
    t.command('reboot', null);
    await t.waiting();
    t.aborted.abort();
    t.admission.answer = () => ({ ok: true });
    t.answers[0]?.('approved');
    await new Promise((resolve) => setImmediate(resolve));
    expect([t.ended, t.told()]).toEqual([[['reboot', 'stopping']], []]);
  });
});
