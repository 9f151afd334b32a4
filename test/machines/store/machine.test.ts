import { createActor } from 'xstate';
import { describe, expect, it } from 'vitest';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { DocumentCommand, DocumentFact } from '#machines/store/events.ts';
import { withSections } from '#drivers/store/document.ts';
import { storeMachine } from '#machines/store/machine.ts';
import { createClock, settle } from '#test/fakes/kit-clock.ts';

/** A driver that notes what it is told and says what the test says. */
const start = (fails?: 'at-start') => {
  const told: DocumentCommand[] = [];
  let say: (fact: DocumentFact) => void = () => {};
  let crash: () => void = () => {};
  const document = fromDriver<DocumentCommand, { readonly folder: string }, DocumentFact>((scope) => {
    if (fails === 'at-start') throw new Error('broken');
    scope.onEvent((command) => void told.push(command));
    say = scope.send;
    crash = scope.guard(() => {
      throw new Error('broken');
    });
  });
  const clock = createClock();
  const actor = createActor(storeMachine.provide({ actors: { document } }), {
    input: { folder: '/data' },
    clock: clock.clock,
  });
  actor.subscribe({ error: () => {} });
  const replies: unknown[] = [];
  actor.on('reply', (reply) => void replies.push(reply));
  actor.start();
  return { actor, clock, told, replies, say: (fact: DocumentFact) => say(fact), crash: () => crash() };
};

describe('the store machine', () => {
  it('passes on reads and commits also while it is loading', async () => {
    const store = start();
    store.actor.send({ type: 'store.read', requestId: 'r', section: 'settings' });
    store.actor.send({ type: 'store.commit', requestId: 'c', section: 'panel', value: 1 });
    await settle();
    expect(store.told).toEqual([
      { type: 'document.read', requestId: 'r', section: 'settings' },
      { type: 'document.write', requestId: 'c', sections: { panel: 1 } },
    ]);
    store.say({ type: 'document.loaded', from: 'previous', trouble: 'unreadable', bytes: 9, at: 5 });
    expect(store.actor.getSnapshot()).toMatchObject({
      value: 'ready',
      context: { loadedFrom: 'previous', documentBytes: 9, loss: { at: 5 } },
    });
  });

  it('answers each request once and remembers how it went', () => {
    const store = start();
    store.say({ type: 'document.written', requestId: 'a', outcome: { ok: false, reason: 'ENOSPC' }, bytes: 9, at: 7 });
    expect(store.actor.getSnapshot().context).toMatchObject({
      commits: 0,
      lastFailure: { reason: 'ENOSPC', at: 7 },
      documentBytes: -1,
    });
    store.say({ type: 'document.written', requestId: 'b', outcome: { ok: true }, bytes: 12, at: 8 });
    expect(store.actor.getSnapshot().context).toMatchObject({ commits: 1, lastFailure: null, documentBytes: 12 });
    expect(store.replies).toEqual([
      { type: 'reply', requestId: 'a', outcome: { ok: false, reason: 'ENOSPC' } },
      { type: 'reply', requestId: 'b', outcome: { ok: true } },
    ]);
  });

  it('does not wait for ever for a write that hangs', () => {
    const store = start();
    store.actor.send({ type: 'store.stop' });
    expect(store.told.at(-1)).toEqual({ type: 'document.close' });
    store.clock.pass(3000);
    expect(store.actor.getSnapshot()).toMatchObject({ status: 'done', output: { ended: 'stopped' } });
  });

  it('fails when its driver crashes, at the start or later', () => {
    expect(start('at-start').actor.getSnapshot()).toMatchObject({
      status: 'done',
      output: { ended: 'failed', reason: 'store-driver' },
    });
    const store = start();
    store.crash();
    expect(store.actor.getSnapshot()).toMatchObject({ status: 'done', output: { ended: 'failed' } });
  });
});

describe('the document', () => {
  it('is replaced section by section', () => {
    const before = { version: 1 as const, sections: { a: 1, b: 2 }, later: true };
    expect(withSections(before, { b: null, c: 3 })).toEqual({ version: 1, sections: { a: 1, c: 3 }, later: true });
    expect(before.sections).toEqual({ a: 1, b: 2 });
    expect(Object.keys(withSections(before, JSON.parse('{"__proto__":1}')).sections)).toContain('__proto__');
  });
});
