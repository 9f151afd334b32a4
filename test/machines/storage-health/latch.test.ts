import { describe, expect, it } from 'vitest';

import { afterCleanCheck, afterWrite, latchFailure, settleLatch } from '#machines/storage-health/latch.ts';

const HOUR_MS = 3_600_000;

describe('a latched failure', () => {
  it('does not count a check that began before it', () => {
    const latch = latchFailure('io', 10_000);
    expect(afterCleanCheck(latch, 9_000)).toBe(latch);
    expect(afterCleanCheck(latch, 10_000)).toBe(latch);
    expect(afterCleanCheck(latch, 10_001).cleanCheckAt).toBe(10_001);
  });

  it('can be cleared after the clock was set back behind it', () => {
    const dated = afterCleanCheck(latchFailure('io', 5 * HOUR_MS), HOUR_MS);
    expect(dated).toMatchObject({ failedAt: HOUR_MS, cleanCheckAt: null });
    const checked = afterCleanCheck(dated, HOUR_MS + 300_000);
    expect(checked.cleanCheckAt).toBe(HOUR_MS + 300_000);
    expect(settleLatch(afterWrite(checked, HOUR_MS + 300_001), 'healthy')).toBeNull();
  });

  it('can be cleared after the clock was set back behind the clean check', () => {
    const checked = afterCleanCheck(latchFailure('io', 4 * HOUR_MS), 5 * HOUR_MS);
    expect(afterWrite(checked, 5 * HOUR_MS - 1).writtenSince).toBe(false);
    expect(settleLatch(afterWrite(checked, HOUR_MS), 'healthy')).toBeNull();
  });
});
