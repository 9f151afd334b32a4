import { createActor, type EventObject } from 'xstate';
import { describe, expect, it } from 'vitest';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { FactsFact, RecordCommand, RecordFact, SetupFacts, SetupRecord } from '#machines/setup/events.ts';
import { setupMachine } from '#machines/setup/machine.ts';

const fresh: SetupFacts = {
  named: true,
  hasAddress: true,
  hasCredential: false,
  hasBroker: false,
  signIn: { phase: 'needed', detail: 'Sign in.' },
  broker: { phase: 'discovering', detail: 'Looking.' },
  session: null,
  renderer: { state: 'waiting', detail: 'Waits.' },
  hasHomeDashboard: false,
  filters: false,
  foundEntity: null,
  isIdTaken: false,
  returnMin: 0,
};
const working: Partial<SetupFacts> = {
  hasCredential: true,
  hasBroker: true,
  signIn: { phase: 'signed-in', detail: 'Signed in.' },
  broker: { phase: 'connected', detail: 'Connected.' },
  renderer: { state: 'working', detail: 'Shown.' },
};

function run() {
  const writes: RecordCommand[] = [];
  let found: (record: SetupRecord | null) => void = () => {};
  let written: (command: RecordCommand, failure: string | null) => void = () => {};
  let observed: (facts: Partial<SetupFacts>, at?: number) => void = () => {};
  let crash: () => void = () => {};
  const actor = createActor(
    setupMachine.provide({
      actors: {
        record: fromDriver<RecordCommand, undefined, RecordFact>(({ send, onEvent }) => {
          found = (record) => send({ type: 'record.found', record, at: 1 });
          written = ({ requestId, record }, failure) => send({ type: 'record.written', requestId, record, failure });
          onEvent((command) => void writes.push(command));
        }),
        followed: fromDriver<EventObject, undefined, FactsFact>(({ send, guard }) => {
          crash = guard(() => {
            throw new Error('x');
          });
          observed = (facts, at = 2) => send({ type: 'setup.observed', facts: { ...fresh, ...facts }, at });
        }),
      },
    }),
  );
  const replies: unknown[] = [];
  actor.on('reply', ({ requestId, outcome }) => void replies.push([requestId, outcome]));
  actor.start();
  return {
    actor,
    writes,
    replies,
    found: (record: SetupRecord | null) => found(record),
    written: (command: RecordCommand | undefined, failure: string | null = null) => {
      if (command !== undefined) written(command, failure);
    },
    observed: (facts: Partial<SetupFacts> = {}, at?: number) => observed(facts, at),
    crash: () => crash(),
    answer: (requestId: string, subject: 'broker' | 'identity' | 'setup', answer: 'done' | 'later') =>
      actor.send({ type: 'setup.answer', requestId, subject, answer }),
    step: (stage: string) => actor.getSnapshot().context.steps.find((step) => step.stage === stage)?.status,
  };
}

describe('the setup', () => {
  it.each(['record first', 'facts first'])('begins once both are known, %s', (order) => {
    const t = run();
    if (order === 'record first') t.found({ answers: { broker: 'later' }, reachedAt: null });
    t.observed();
    if (order === 'facts first') t.found({ answers: { broker: 'later' }, reachedAt: null });
    expect([t.actor.getSnapshot().value, t.step('broker'), t.writes]).toEqual(['watching', 'put_off', []]);
  });

  it('keeps that everything was there, once', () => {
    const t = run();
    t.found(null);
    t.observed();
    t.observed(working, 9);
    expect(t.writes).toEqual([{ type: 'record.write', requestId: null, record: { answers: {}, reachedAt: 9 } }]);
    t.written(t.writes[0]);
    t.observed({ ...working, hasBroker: false }, 10);
    t.observed(working, 11);
    expect([t.writes.length, t.actor.getSnapshot().context.reachedAt]).toEqual([1, 9]);
  });

  it('keeps it with the next change where the disk refused', () => {
    const t = run();
    t.found(null);
    t.observed(working, 9);
    t.written(t.writes[0], 'EROFS');
    t.observed({ ...working, filters: true }, 12);
    expect(t.writes.map(({ record }) => record.reachedAt)).toEqual([9, 9]);
  });

  it('never sends a panel of an earlier version there, also where its broker is away', () => {
    const t = run();
    t.found(null);
    t.observed({ ...working, broker: { phase: 'unreachable', detail: 'Away.' } }, 4);
    expect(t.actor.getSnapshot().context.reachedAt).toBe(4);
    expect(t.writes.length).toBe(1);
  });

  it('answers once it is durable, and changes nothing before', () => {
    const t = run();
    t.found(null);
    t.observed();
    t.answer('one', 'broker', 'later');
    expect([t.step('broker'), t.replies]).toEqual(['needs_you', []]);
    t.written(t.writes[0]);
    expect([t.step('broker'), t.replies]).toEqual(['put_off', [['one', { status: 'kept' }]]]);
  });

  it('loses none of two answers that come together', () => {
    const t = run();
    t.found(null);
    t.observed({ named: false });
    t.answer('one', 'broker', 'later');
    t.answer('two', 'identity', 'done');
    for (const write of t.writes) t.written(write);
    expect([t.step('broker'), t.step('identity')]).toEqual(['put_off', 'done']);
    expect(t.replies.length).toBe(2);
  });

  it('says why an answer was not kept, and leaves everything as it was', () => {
    const t = run();
    t.found(null);
    t.observed();
    t.answer('one', 'setup', 'later');
    t.written(t.writes[0], 'ENOSPC');
    expect(t.replies).toEqual([['one', { status: 'commit-failed', reason: 'ENOSPC' }]]);
    expect(t.actor.getSnapshot().context.answers).toEqual({});
    t.answer('two', 'broker', 'later');
    expect(t.writes[1]?.record.answers).toEqual({ broker: 'later' });
  });

  it('names the entity that Home Assistant shows, and no longer than it does', () => {
    const t = run();
    t.found(null);
    const foundEntity = { entityId: 'light.hall_screen', deviceId: 'c0ffee' };
    t.observed({ ...working, foundEntity });
    expect(t.actor.getSnapshot().context.foundEntity).toEqual(foundEntity);
    t.observed(working);
    expect(t.actor.getSnapshot().context.foundEntity).toBeNull();
  });

  it('fails with a code where a part of it crashes', () => {
    const t = run();
    t.crash();
    expect(t.actor.getSnapshot().output).toMatchObject({ ended: 'failed', reason: 'setup-facts' });
  });
});
