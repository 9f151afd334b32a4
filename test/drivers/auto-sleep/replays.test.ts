import { expect, it } from 'vitest';

import { type Replayed, replays } from '#drivers/auto-sleep/replays.ts';
import type { Replay } from '#machines/auto-sleep/events.ts';

const view = (to: number): Replay => ({ from: 0, to, leaseMs: 600_000, lanes: [], segments: [] });

function rig() {
  let now = 5;
  const runs: { readonly hours: number; readonly end: (replayed: Replayed) => void }[] = [];
  const desk = replays(
    (hours) => new Promise((end) => void runs.push({ hours, end })),
    () => now,
  );
  return { desk, runs, pass: (ms: number) => void (now += ms) };
}

it('replays once for all who ask for the same hours meanwhile', async () => {
  const { desk, runs } = rig();
  const both = [desk.of(6), desk.of(6)];
  expect(await desk.of(48)).toEqual({ fault: 'history_limit', settled: null });
  expect(runs.map(({ hours }) => hours)).toEqual([6]);
  runs[0]?.end({ settled: view(1) });
  expect(await Promise.all(both)).toEqual([
    { fault: null, settled: view(1) },
    { fault: null, settled: view(1) },
  ]);
});

it('replays once a minute', async () => {
  const { desk, runs, pass } = rig();
  const first = desk.of(6);
  runs[0]?.end({ settled: view(1) });
  await first;
  pass(59_999);
  expect(await desk.of(6)).toEqual({ fault: null, settled: view(1) });
  expect(await desk.of(7)).toEqual({ fault: 'history_limit', settled: view(1) });
  expect(runs).toHaveLength(1);
  pass(1);
  const second = desk.of(7);
  runs[1]?.end({ settled: view(2) });
  expect(await second).toEqual({ fault: null, settled: view(2) });
});

it('keeps the last complete view while replays fail', async () => {
  const { desk, runs, pass } = rig();
  const first = desk.of(6);
  runs[0]?.end({ settled: view(1) });
  await first;
  pass(60_000);
  const failed = desk.of(6);
  runs[1]?.end({ fault: 'history_transport' });
  expect(await failed).toEqual({ fault: 'history_transport', settled: view(1) });
  expect(await desk.of(6)).toEqual({ fault: 'history_transport', settled: view(1) });
});

it('says that the sources have changed since', async () => {
  const { desk, runs, pass } = rig();
  const first = desk.of(6);
  runs[0]?.end({ settled: view(1) });
  await first;
  desk.forget();
  expect(await desk.of(6)).toEqual({ fault: 'sources_changed', settled: view(1) });
  pass(60_000);
  const second = desk.of(6);
  runs[1]?.end({ settled: view(2) });
  await second;
  expect(await desk.of(6)).toEqual({ fault: null, settled: view(2) });
});
