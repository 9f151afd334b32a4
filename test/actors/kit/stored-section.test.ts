import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';

import { createRegistry } from '#actors/kit/registry.ts';
import { type RateLimit, RECALL_PAUSE_MS, storedSection } from '#actors/kit/stored-section.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { runDriver } from '#test/drivers/run-driver.ts';
import { askOf } from '#test/fakes/registry.ts';

const form = z.object({ version: z.literal(1), level: z.int() });

type Command =
  | { readonly type: 'level.keep'; readonly level: number }
  | { readonly type: 'level.write'; readonly level: number }
  | { readonly type: 'flush' };
type Fact =
  | { readonly type: 'recalled'; readonly level: number | null }
  | { readonly type: 'written'; readonly reason: string | null }
  | { readonly type: 'flushed' };

/** A driver that keeps one number in a section, and a store that may be slow, silent, full or late with a commit. */
function start(rateLimit: RateLimit, stored: unknown = null, { latencyMs = 0, silent = false, readMs = 0 } = {}) {
  const store = { held: stored, commits: [] as unknown[], silent, full: false, lateMs: null as number | null };
  const registry = {
    ...createRegistry(),
    ask: askOf(async (_, event) => {
      if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
      if (store.silent) return { ok: false, reason: 'timeout' };
      if (event.type === 'store.read') {
        const value = store.held;
        if (readMs > 0) await new Promise((resolve) => setTimeout(resolve, readMs));
        return { ok: true, value: { ok: true, value } };
      }
      if (store.full) return { ok: true, value: { ok: false, reason: 'ENOSPC' } };
      // The only other question that the store puts is `store.commit`.
      const { value } = event as unknown as { readonly value: unknown };
      const take = (): void => {
        store.held = value;
        store.commits.push(value);
      };
      if (store.lateMs !== null) {
        setTimeout(take, store.lateMs);
        return { ok: false, reason: 'timeout' };
      }
      take();
      return { ok: true, value: { ok: true } };
    }),
  };
  const driver = runDriver<Command, Fact>(
    fromDriver<Command, undefined, Fact>((scope) => {
      const memory = storedSection<number | null>(registry, scope, {
        section: 'panel',
        parse: (value) => form.safeParse(value).data?.level ?? null,
        format: (level) => (level === null ? null : { version: 1, level }),
        rateLimit,
      });
      memory.recall((level) => scope.send({ type: 'recalled', level }));
      scope.onEvent(async (command) => {
        if (command.type === 'level.keep') await memory.keep(command.level);
        else if (command.type === 'level.write')
          scope.send({ type: 'written', reason: await memory.write(command.level) });
        else {
          await memory.flush();
          scope.send({ type: 'flushed' });
        }
      });
      return memory.end;
    }),
  );
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  return {
    store,
    driver,
    pass,
    keep: async (...levels: readonly number[]) => {
      for (const level of levels) driver.tell({ type: 'level.keep', level });
      await pass(0);
    },
    levels: () => store.commits.map((value) => form.parse(value).level),
  };
}

describe('a stored section', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each([
    [{ version: 1, level: 7 }, 7],
    [null, null],
    [{ version: 2 }, null],
  ])('is recalled at the start: %j says %j', async (stored, level) => {
    const { driver, pass } = start('at-once', stored);
    await pass(0);
    expect(driver.facts).toEqual([{ type: 'recalled', level }]);
    driver.stop();
  });

  it('asks again while the store does not answer, until it does', async () => {
    const { store, driver, pass } = start('at-once', { version: 1, level: 7 }, { silent: true });
    await pass(3 * RECALL_PAUSE_MS);
    expect(driver.facts).toEqual([]);
    store.silent = false;
    await pass(RECALL_PAUSE_MS);
    expect(driver.facts).toEqual([{ type: 'recalled', level: 7 }]);
    driver.stop();
  });

  it('asks no more once its driver has ended', async () => {
    const { driver, pass } = start('at-once', null, { silent: true });
    await pass(0);
    driver.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  describe('at once', () => {
    it('is committed with each value that differs', async () => {
      const { keep, levels, pass, driver } = start('at-once', { version: 1, level: 1 });
      await pass(0);
      await keep(1);
      await keep(2);
      await keep(2);
      await keep(3);
      expect(levels()).toEqual([2, 3]);
      driver.stop();
    });

    it('answers what became of a write, which is made even where it changes nothing', async () => {
      const { store, driver, levels, pass } = start('at-once', { version: 1, level: 1 });
      await pass(0);
      driver.tell({ type: 'level.write', level: 1 });
      await pass(0);
      store.full = true;
      driver.tell({ type: 'level.write', level: 2 });
      await pass(0);
      store.silent = true;
      driver.tell({ type: 'level.write', level: 2 });
      await pass(0);
      expect(driver.facts.slice(1)).toEqual([null, 'ENOSPC', 'timeout'].map((reason) => ({ type: 'written', reason })));
      expect(levels()).toEqual([1]);
      driver.stop();
    });
  });

  it('is written again after a commit of which nobody knows whether it was made', async () => {
    const { store, keep, pass, driver } = start('at-once', { version: 1, level: 1 });
    await pass(0);
    store.lateMs = 500;
    await keep(2);
    store.lateMs = null;
    await pass(1000);
    expect(store.held).toEqual({ version: 1, level: 2 });
    await keep(1);
    expect(store.held).toEqual({ version: 1, level: 1 });
    driver.stop();
  });

  it('is not taken for what was read before such a commit', async () => {
    const { store, keep, pass, driver } = start('at-once', { version: 1, level: 1 }, { readMs: 300 });
    store.lateMs = 100;
    await keep(2);
    store.lateMs = null;
    await pass(1000);
    expect(driver.facts).toEqual([{ type: 'recalled', level: 1 }]);
    await keep(1);
    expect(store.held).toEqual({ version: 1, level: 1 });
    driver.stop();
  });

  describe('after a pause', () => {
    const rateLimit: RateLimit = { afterMs: 3000 };

    it('is committed once for all that came in it, with the newest', async () => {
      const { keep, levels, pass, driver } = start(rateLimit);
      await keep(1, 2, 3);
      await pass(2999);
      expect(levels()).toEqual([]);
      await pass(1);
      expect(levels()).toEqual([3]);
      await pass(60_000);
      await keep(3);
      await pass(60_000);
      expect(levels()).toEqual([3]);
      driver.stop();
    });

    it('waits another pause for what came while it was committed', async () => {
      const { keep, levels, pass, driver } = start(rateLimit, null, { latencyMs: 300 });
      await pass(1000);
      await keep(1);
      await pass(3100);
      await keep(2);
      await pass(200);
      expect(levels()).toEqual([1]);
      await pass(3300);
      expect(levels()).toEqual([1, 2]);
      driver.stop();
    });

    it('tries what the disk refused with the next value, not for ever', async () => {
      const { store, keep, levels, pass, driver } = start(rateLimit);
      store.full = true;
      await keep(1);
      await pass(3000);
      store.full = false;
      await pass(60_000);
      expect(levels()).toEqual([]);
      await keep(1);
      await pass(3000);
      expect(levels()).toEqual([1]);
      driver.stop();
    });

    it('commits what is due when it is told to, and at the end', async () => {
      const { keep, levels, pass, driver } = start(rateLimit);
      await keep(1);
      driver.tell({ type: 'flush' });
      await pass(0);
      expect([levels(), driver.facts.at(-1)]).toEqual([[1], { type: 'flushed' }]);
      await keep(2);
      driver.stop();
      await pass(0);
      expect([levels(), vi.getTimerCount()]).toEqual([[1, 2], 0]);
    });
  });

  describe('in a burst', () => {
    const rateLimit: RateLimit = { burst: 3, pauseMs: 5000 };

    it('is committed at once until the burst is spent, then once per pause with the newest', async () => {
      const { keep, levels, pass, driver } = start(rateLimit);
      for (const level of [1, 2, 3, 4, 5]) await keep(level);
      expect(levels()).toEqual([1, 2, 3]);
      await pass(5000);
      expect(levels()).toEqual([1, 2, 3, 5]);
      driver.stop();
    });

    it('has its burst again after a quiet time', async () => {
      const { keep, levels, pass, driver } = start(rateLimit);
      for (const level of [1, 2, 3]) await keep(level);
      await pass(15_000);
      for (const level of [4, 5, 6, 7]) await keep(level);
      expect(levels()).toEqual([1, 2, 3, 4, 5, 6]);
      driver.stop();
    });

    it('tries what the disk refused again, also without a newer value', async () => {
      const { store, keep, levels, pass, driver } = start(rateLimit);
      store.full = true;
      await keep(1);
      await pass(60_000);
      store.full = false;
      await pass(5000);
      expect(levels()).toEqual([1]);
      driver.stop();
    });

    it('tries again what the store took longer not to answer than the pause', async () => {
      const { store, keep, levels, pass, driver } = start(rateLimit, null, { latencyMs: 6000, silent: true });
      await keep(1);
      await pass(6000);
      store.silent = false;
      await pass(5000 + 6000);
      expect(levels()).toEqual([1]);
      driver.stop();
    });

    it('has no larger burst after such a time', async () => {
      const { store, keep, levels, pass, driver } = start(rateLimit, null, { latencyMs: 6000, silent: true });
      await keep(1);
      await pass(6000);
      store.silent = false;
      await pass(60_000);
      for (const level of [2, 3, 4, 5, 6]) {
        // oxlint-disable-next-line no-await-in-loop -- one after another
        await keep(level);
      }
      await pass(4999);
      driver.stop();
      await pass(60_000);
      // Three were allowed, each of which takes the newest of its turn, and the end commits what is due.
      expect(levels().length).toBeLessThanOrEqual(1 + 3 + 1);
    });

    it('arms nothing when its driver ends while a commit fails', async () => {
      const { keep, pass, driver } = start(rateLimit, null, { latencyMs: 6000, silent: true });
      await keep(1);
      await pass(1000);
      driver.stop();
      await pass(60_000);
      expect(vi.getTimerCount()).toBe(0);
    });

    it('holds the newest in the end, however slowly the store writes', async () => {
      const { store, keep, pass, driver } = start(rateLimit, { version: 1, level: 1 }, { latencyMs: 300 });
      await pass(400);
      await keep(2, 1);
      driver.stop();
      await pass(1000);
      expect(store.held).toEqual({ version: 1, level: 1 });
    });
  });
});
