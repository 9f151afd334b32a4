import { describe, expect, it } from 'vitest';

import { afterCommit, afterLoad, unloaded } from '#machines/store/facts.ts';

describe('the facts of the store', () => {
  it('say what was read, and what of it was lost', () => {
    const facts = afterLoad(unloaded('/data'), { from: 'previous', trouble: 'unreadable', bytes: 9, damaged: [] }, 5);
    expect(facts).toMatchObject({ folder: '/data', loadedFrom: 'previous', documentBytes: 9, loss: { at: 5 } });
    const empty = { from: 'empty', trouble: null, bytes: -1, damaged: [] } as const;
    expect(afterLoad(unloaded('/data'), empty, 5).loss).toBeNull();
    const lost = afterLoad(
      unloaded('/data'),
      { ...empty, damaged: [{ section: 'history', from: 'previous' }] },
      5,
    ).loss;
    expect(lost).toEqual({ reason: expect.stringContaining('by itself as history'), at: 5 });
    expect(lost?.reason).toContain('copy from before');
  });

  it('count the commits, and keep why one failed until the next', () => {
    const failed = afterCommit(unloaded('/data'), { ok: false, reason: 'ENOSPC' }, { bytes: 9, at: 7 });
    expect(failed).toMatchObject({ commits: 0, documentBytes: -1, lastFailure: { reason: 'ENOSPC', at: 7 } });
    expect(afterCommit(failed, { ok: true }, { bytes: 12, at: 8 })).toMatchObject({
      commits: 1,
      documentBytes: 12,
      lastFailure: null,
    });
  });
});
