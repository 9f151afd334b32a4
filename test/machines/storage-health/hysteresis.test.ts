import { describe, expect, it } from 'vitest';

import { afterCleanCheck, afterWrite, holdFailure, releaseFailure } from '#machines/storage-health/hysteresis.ts';

const HOUR_MS = 3_600_000;

describe('a held failure', () => {
  it('does not count a check that began before it', () => {
    const held = holdFailure('io', 10_000);
    expect(afterCleanCheck(held, 9_000)).toBe(held);
    expect(afterCleanCheck(held, 10_000)).toBe(held);
    expect(afterCleanCheck(held, 10_001).cleanCheckAt).toBe(10_001);
  });

  it('can be cleared after the clock was set back behind it', () => {
    const dated = afterCleanCheck(holdFailure('io', 5 * HOUR_MS), HOUR_MS);
    expect(dated).toMatchObject({ failedAt: HOUR_MS, cleanCheckAt: null });
    const checked = afterCleanCheck(dated, HOUR_MS + 300_000);
    expect(checked.cleanCheckAt).toBe(HOUR_MS + 300_000);
    expect(releaseFailure(afterWrite(checked, HOUR_MS + 300_001), 'healthy')).toBeNull();
  });

  it('can be cleared after the clock was set back behind the clean check', () => {
    const checked = afterCleanCheck(holdFailure('io', 4 * HOUR_MS), 5 * HOUR_MS);
    expect(afterWrite(checked, 5 * HOUR_MS - 1).writtenSince).toBe(false);
    expect(releaseFailure(afterWrite(checked, HOUR_MS), 'healthy')).toBeNull();
  });
});
