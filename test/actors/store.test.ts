import { createActor } from 'xstate';
import { describe, expect, it } from 'vitest';

import { storeSpec } from '#actors/store.ts';
import type { StoredSections } from '#drivers/store/stored-sections.ts';
import type { Loaded } from '#machines/store/events.ts';
import { createClock, settle, timersOf } from '#test/fakes/kit-clock.ts';

/** A store over a disk that does what the test says. */
function start(disk: Partial<StoredSections> = {}) {
  const clock = createClock();
  const sections: StoredSections = {
    load: async () => ({ from: 'current', trouble: null, bytes: 9, newer: null, damaged: [] }),
    read: async (names) => ({ ok: true, values: Object.fromEntries(names.map((name) => [name, `the ${name}`])) }),
    write: async () => ({ outcome: { ok: true }, bytes: 12 }),
    snapshot: async () => ({ ok: true, sections: { settings: 'all' }, unreadable: ['panel'] }),
    startOver: async () => ({ outcome: { ok: true }, bytes: 3 }),
    settled: async () => {},
    ...disk,
  };
  const actor = createActor(storeSpec({ folder: '/data', sections, now: clock.now, timers: timersOf(clock) }).logic);
  const replies: unknown[] = [];
  actor.on('reply', (reply) => {
    // What is answered can be read by then.
    replies.push({ reply, commits: actor.getSnapshot().context.commits });
  });
  actor.start();
  return { actor, clock, replies };
}
const never = <T>(): Promise<T> => new Promise<T>(() => {});

describe('the store', () => {
  it('answers several sections in one, and a commit once its facts can be read', async () => {
    const { actor, replies } = start();
    expect(actor.getSnapshot().value).toBe('loading');
    await settle();
    expect(actor.getSnapshot()).toMatchObject({ value: 'ready', context: { loadedFrom: 'current', documentBytes: 9 } });
    actor.send({ type: 'store.read-all', requestId: 'a', sections: ['settings', 'secrets'] });
    actor.send({ type: 'store.read', requestId: 'b', section: 'panel' });
    actor.send({ type: 'store.commit', requestId: 'c', section: 'panel', value: 1 });
    await settle();
    expect(replies).toEqual([
      {
        reply: {
          type: 'reply',
          requestId: 'a',
          outcome: { ok: true, values: { settings: 'the settings', secrets: 'the secrets' } },
        },
        commits: 0,
      },
      { reply: { type: 'reply', requestId: 'b', outcome: { ok: true, value: 'the panel' } }, commits: 0 },
      { reply: { type: 'reply', requestId: 'c', outcome: { ok: true } }, commits: 1 },
    ]);
    actor.stop();
  });

  it('answers with all sections, and with the decision about a newer document', async () => {
    const newer = { version: 2, copyFrom: null };
    const { actor, replies } = start({
      load: async () => ({ from: 'empty', trouble: null, bytes: -1, newer, damaged: [] }),
    });
    await settle();
    expect(actor.getSnapshot().context).toMatchObject({ newer, loss: null, commits: 0 });
    actor.send({ type: 'store.snapshot', requestId: 'a' });
    actor.send({ type: 'store.start-over', requestId: 'b' });
    await settle();
    expect(replies).toMatchObject([
      { reply: { outcome: { ok: true, sections: { settings: 'all' }, unreadable: ['panel'] } } },
      { reply: { outcome: { ok: true } }, commits: 1 },
    ]);
    expect(actor.getSnapshot().context).toMatchObject({ newer: null, documentBytes: 3 });
    actor.stop();
  });

  it('stays undecided where the disk refuses the decision', async () => {
    const newer = { version: 2, copyFrom: null };
    const { actor } = start({
      load: async () => ({ from: 'empty', trouble: null, bytes: -1, newer, damaged: [] }),
      startOver: async () => ({ outcome: { ok: false, reason: 'ENOSPC' }, bytes: -1 }),
    });
    await settle();
    actor.send({ type: 'store.start-over', requestId: 'a' });
    await settle();
    expect(actor.getSnapshot().context).toMatchObject({ newer, lastFailure: { reason: 'ENOSPC' } });
    actor.stop();
  });

  it('does not wait for ever for a write that hangs', async () => {
    const { actor, clock } = start({ settled: never });
    await settle();
    actor.send({ type: 'store.stop' });
    await settle();
    expect(actor.getSnapshot()).toMatchObject({ status: 'active', value: 'stopping' });
    clock.pass(1000);
    expect(actor.getSnapshot()).toMatchObject({ status: 'done', output: { ended: 'stopped' } });
  });

  it('fails when the document cannot be read, but not with the file of one section', async () => {
    const failure = Object.assign(new Error('x'), { code: 'EIO' });
    const unread = start({ load: () => Promise.reject<Loaded>(failure) });
    await settle();
    const output = { ended: 'failed', reason: 'store-driver', error: { code: 'EIO' } };
    expect(unread.actor.getSnapshot()).toMatchObject({ status: 'done', output });
    const outcome = { ok: false, reason: 'EIO' } as const;
    const { actor, replies } = start({ read: async () => outcome });
    await settle();
    actor.send({ type: 'store.read', requestId: 'a', section: 'history' });
    await settle();
    expect(actor.getSnapshot().status).toBe('active');
    expect(replies).toEqual([{ reply: { type: 'reply', requestId: 'a', outcome }, commits: 0 }]);
  });
});
