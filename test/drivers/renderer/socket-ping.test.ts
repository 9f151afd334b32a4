import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { PageSession } from '#drivers/renderer/session.ts';
import { openSocketPing } from '#drivers/renderer/socket-ping.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Pings of a page that answers them as it is told, in their order. */
function rig() {
  const open: ((answer: unknown) => void)[] = [];
  const page: PageSession = {
    id: 's',
    targetId: 't',
    call: () => Promise.resolve({ ok: true, value: {} }),
    evaluate: () => new Promise((resolve) => void open.push(resolve)),
    listen: () => {},
  };
  const ping = openSocketPing(page);
  return {
    ping,
    /** Probes 5 s later. */
    next: async (): Promise<number | null> => {
      await vi.advanceTimersByTimeAsync(5000);
      return ping.next();
    },
    /** Answers the oldest ping. */
    answer: async (answer: unknown): Promise<void> => {
      open.shift()?.(answer);
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

test('counts from the first ping that was not answered, until one is, however late', async () => {
  const { next, answer } = rig();
  expect([await next(), await next(), await next()]).toEqual([0, 5000, 10_000]);
  await answer(true);
  expect(await next()).toBe(0);
  // That page has no such call.
  await answer(null);
  expect(await next()).toBeNull();
});

test('goes on counting where a ping came to nothing in its time', async () => {
  const { next, answer } = rig();
  await next();
  await answer(undefined);
  expect(await next()).toBe(5000);
});

test('begins anew where the connection was lost between two probes', async () => {
  const { next, answer } = rig();
  expect([await next(), await next()]).toEqual([0, 5000]);
  await answer(false);
  // The page has reconnected; the other ping of the old connection ends only now.
  expect(await next()).toBe(0);
  await answer(false);
  expect(await next()).toBe(5000);
});

test('takes an answer over an earlier connection for none over this one', async () => {
  const { ping, next, answer } = rig();
  await next();
  ping.reset();
  expect([await next(), await next()]).toEqual([0, 5000]);
  await answer(true);
  expect(await next()).toBe(10_000);
});
