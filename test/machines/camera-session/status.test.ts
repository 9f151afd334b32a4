import { expect, test } from 'vitest';
import { closedSession } from '#machines/camera-session/off.ts';
import { marksOf, saysTheSame } from '#machines/status/compare.ts';
import { status } from '#machines/camera-session/status.ts';
import { z } from 'zod';

const view = (context: typeof closedSession | undefined, now: number, elapsed: number) =>
  status.view({
    now,
    elapsed,
    // The section reads one actor.
    read: (() => context) as unknown as Parameters<typeof status.view>[0]['read'],
    view: () => undefined,
    startedAt: 0,
    version: '0.1.0',
    build: 'abcdef01',
  });
const watched = { ...closedSession, watchers: [{ client: 7, kind: 'frigate', since: 4_000 } as const] };

test('who watches is told by kind, and since when by the clock of the wall', () => {
  expect(view(watched, 1_000_000, 9_000)).toEqual({ camera_watchers: [{ kind: 'frigate', since: 995_000 }] });
  expect(view(closedSession, 1_000_000, 9_000)).toEqual({ camera_watchers: [] });
  expect(view(undefined, 1_000_000, 9_000)).toEqual({ camera_watchers: [] });
});

test('two clocks that differ by a millisecond are no change, another watcher is', () => {
  const marks = marksOf(z.object(status.shape()));
  const before = view(watched, 1_000_000, 9_000);
  expect(saysTheSame(marks, before, view(watched, 1_000_500, 9_499))).toBe(true);
  expect(saysTheSame(marks, before, view(closedSession, 1_000_000, 9_000))).toBe(false);
});
