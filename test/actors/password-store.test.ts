import { afterEach, expect, it, vi } from 'vitest';

import { createOpenings, passwordStore } from '#actors/password-store.ts';
import type { Recipient } from '#machines/kit/recipient.ts';
import type { DesiredFact, PasswordCommand } from '#machines/mqtt/events.ts';

const now = 1_700_000_000_000;
const recipient: Recipient = { scheme: 'mqtt', host: '192.168.1.9', port: 1883, name: 'ha.local' };

afterEach(() => void vi.useRealTimers());

/** The store over settings that answer each request to keep a recipient with the next of these. */
async function over(...answers: readonly ('commit-failed' | 'busy' | 'assigned' | 'changed')[]) {
  vi.useFakeTimers();
  const left = [...answers];
  const ending = new AbortController();
  const facts: DesiredFact[] = [];
  const sent = vi.fn(() => {
    const status = left.shift() ?? 'assigned';
    const value = status === 'commit-failed' ? { status, reason: 'ENOSPC' } : { status };
    return Promise.resolve({ ok: true, value });
  });
  let handle: (command: PasswordCommand) => void | Promise<void> = () => {};
  const memory = passwordStore(
    {
      // A registry whose settings answer as above.
      registry: { ask: sent } as never,
      readPassword: () =>
        Promise.resolve({ value: 'marker', assignment: { id: 'one', recipient: null, by: 'save', at: now } }),
      markPassword: () => 'mark',
      now: () => now,
      openings: createOpenings(() => now),
    },
    {
      send: (fact) => void facts.push(fact),
      onEvent: (handler) => void (handle = handler),
      guard:
        (run) =>
        (...args) =>
          void run(...args),
      signal: ending.signal,
    },
  );
  await memory.look({ passwordSet: true, installId: 'panel' });
  return { memory, sent, facts, ending, keep: () => handle({ type: 'binding.keep', revision: 0, recipient }) };
}

it('keeps a recipient again after a pause while the disk refuses it, until it is kept', async () => {
  const { keep, sent } = await over('commit-failed', 'busy', 'assigned');
  await keep();
  expect(sent).toHaveBeenCalledTimes(1);
  await vi.runAllTimersAsync();
  expect(sent).toHaveBeenCalledTimes(3);
  expect(vi.getTimerCount()).toBe(0);
});

it('gives up once another password is in force', async () => {
  const { keep, sent } = await over('changed');
  await keep();
  await vi.runAllTimersAsync();
  expect(sent).toHaveBeenCalledTimes(1);
});

it.each([
  ['has ended', ({ memory }: Awaited<ReturnType<typeof over>>) => memory.end()],
  ['is ending', ({ ending }: Awaited<ReturnType<typeof over>>) => ending.abort()],
])('leaves no timer behind when it %s', async (_, end) => {
  const net = await over('commit-failed', 'commit-failed');
  await net.keep();
  end(net);
  await vi.runAllTimersAsync();
  expect(net.sent.mock.calls.length).toBeLessThanOrEqual(2);
  expect(vi.getTimerCount()).toBe(0);
});
