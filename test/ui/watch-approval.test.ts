import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type LookedAt, watchApproval } from '#ui/elements/watch-approval.ts';

describe('a request that waits for a person at the panel', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Watches a panel that answers so, then the last answer again and again. */
  const watch = (...answers: readonly LookedAt[]) => {
    const leaving = new AbortController();
    const looks: LookedAt[] = [];
    const look = async (): Promise<LookedAt> => {
      const now = answers[Math.min(looks.length, answers.length - 1)] ?? null;
      looks.push(now);
      return now;
    };
    const end = watchApproval(look, leaving.signal);
    return { end, looks, leave: () => leaving.abort() };
  };

  it.each(['approved', 'absent'] as const)('is looked at every two seconds until it is %s', async (last) => {
    const { end, looks } = watch('pending', null, 'pending', last);
    await vi.advanceTimersByTimeAsync(7999);
    expect(looks.length).toBe(3);
    await vi.advanceTimersByTimeAsync(1);
    expect(await end).toBe(last);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is over after ten minutes, also where the panel does not answer', async () => {
    const { end, looks } = watch(null);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(await end).toBe('absent');
    expect(looks.length).toBe(300);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is not looked at again once the page gives it up or goes', async () => {
    const { end, looks, leave } = watch('pending');
    await vi.advanceTimersByTimeAsync(2000);
    leave();
    expect(await end).toBe('given-up');
    expect(vi.getTimerCount()).toBe(0);
    expect(looks.length).toBe(1);
  });

  it('is not repeated if it was given up while the panel answered', async () => {
    const leaving = new AbortController();
    const end = watchApproval(async () => {
      leaving.abort();
      return 'approved';
    }, leaving.signal);
    await vi.advanceTimersByTimeAsync(2000);
    expect(await end).toBe('given-up');
  });
});
