import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { allJudged } from '#bin/judged.ts';
import { fakeRegistry } from '#test/fakes/registry.ts';
import { settledFacts } from '#test/fakes/route-deps.ts';

const BOUND_MS = 8000;
/** Facts of parts of which two stand for capabilities and have judged. */
function judged(): Readonly<Record<string, unknown>> {
  const { mqtt, store, camera } = settledFacts();
  return { store, mqtt, camera };
}

/** Waits for the parts with those facts; undefined is one that is away. */
function run(facts: Readonly<Record<string, unknown>>, absent: readonly string[] = []) {
  const fake = fakeRegistry({});
  for (const [id, context] of Object.entries(facts)) fake.put(id, context);
  const registry = { follow: fake.follow, ids: () => Object.keys(facts) as ReturnType<typeof fake.ids> };
  const over = vi.fn<() => void>();
  void allJudged(registry, absent, BOUND_MS).then(over);
  return { fake, over, pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) };
}

describe('the wait for all verdicts', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is over at once where each part has judged', async () => {
    const { over, pass } = run(judged());
    await pass(0);
    expect(over).toHaveBeenCalledOnce();
  });

  it.each([
    ['stands for no capability', 'stream', []],
    ['the profile declares absent', 'camera', ['camera']],
  ] as const)('is not for a part that is away and %s', async (_, id, absent) => {
    const { over, pass } = run({ ...judged(), [id]: undefined }, absent);
    await pass(0);
    expect(over).toHaveBeenCalledOnce();
  });

  it('is for one that is away and stands for a capability, until it has judged or the time is over', async () => {
    const facts = { ...judged(), camera: undefined };
    const first = run(facts);
    await first.pass(BOUND_MS - 1);
    expect(first.over).not.toHaveBeenCalled();
    await first.pass(1);
    expect(first.over).toHaveBeenCalledOnce();
    const second = run(facts);
    await second.pass(100);
    second.fake.put('camera', judged()['camera']);
    await second.pass(0);
    expect(second.over).toHaveBeenCalledOnce();
  });
});
