import { describe, expect, it } from 'vitest';

import type { Loaded } from '#machines/store/events.ts';
import { afterCommit, afterLoad, unloaded } from '#machines/store/facts.ts';
import { newerWords } from '#machines/store/loss.ts';

describe('the facts of the store', () => {
  it('say what was read, and what of it was lost', () => {
    const facts = afterLoad(
      unloaded('/data'),
      { from: 'previous', trouble: 'unreadable', bytes: 9, newer: null, damaged: [] },
      5,
    );
    expect(facts).toMatchObject({ folder: '/data', loadedFrom: 'previous', documentBytes: 9, loss: { at: 5 } });
    const empty = { from: 'empty', trouble: null, bytes: -1, newer: null, damaged: [] } as const;
    expect(afterLoad(unloaded('/data'), empty, 5).loss).toBeNull();
  });

  it('name what was lost in words of the owner, all of it', () => {
    const lossOf = (...damaged: Loaded['damaged']): unknown =>
      afterLoad(unloaded('/data'), { from: 'current', trouble: null, bytes: 9, newer: null, damaged }, 5).loss;
    expect(lossOf({ section: 'panel_2', from: 'previous' })).toEqual({
      reason:
        'What was kept of the level of the screen could not be read; the copy from before the last change is in use.',
      at: 5,
    });
    expect(
      lossOf(
        { section: 'history', from: 'empty' },
        { section: 'relay1', from: 'previous' },
        { section: 'panel', from: 'previous' },
        { section: 'relay2', from: 'previous' },
      ),
    ).toEqual({
      reason:
        'What was kept of the state of the relays and the level of the screen could not be read; the copy from before ' +
        'the last change is in use. What was kept of the history could not be read, nor its copy; it began anew.',
      at: 5,
    });
  });

  it('name what a newer version wrote of the sections', () => {
    const damaged = [
      { section: 'history', from: 'newer' },
      { section: 'relay1', from: 'copy' },
    ] as const;
    const loaded = { from: 'current', trouble: null, bytes: 9, newer: null, damaged } as const;
    expect(afterLoad(unloaded('/data'), loaded, 5).loss?.reason).toBe(
      'A newer version of Sconce has written what is kept of the state of the relays, which this one cannot read; the ' +
        'copy from before is in use. A newer version of Sconce has written what is kept of the history, which this one ' +
        'cannot read. It stays as it is, and nothing is added to it.',
    );
  });

  it('say from when the settings are where a newer version wrote others, else what the owner can do', () => {
    const copyFrom = Date.UTC(2026, 2, 3, 23);
    expect(newerWords({ version: 2, copyFrom })).toContain('Those of 2026-03-03, from before it, are in use');
    expect(newerWords({ version: 2, copyFrom: null })).toMatch(/Install the newer version .* start over .* Everything/);
    const loaded = { from: 'copy', trouble: null, bytes: 9, newer: { version: 2, copyFrom }, damaged: [] } as const;
    expect(afterLoad(unloaded('/data'), loaded, 5)).toMatchObject({ newer: { version: 2, copyFrom }, loss: null });
  });

  it('count the commits, and keep why one failed until the next', () => {
    const failed = afterCommit(unloaded('/data'), { ok: false, reason: 'ENOSPC' }, { bytes: 9, at: 7 });
    expect(failed).toMatchObject({ commits: 0, documentBytes: -1, lastFailure: { reason: 'ENOSPC', at: 7 } });
    // A newer version's document is no failure of the disk.
    expect(afterCommit(failed, { ok: false, reason: 'newer-format' }, { bytes: 9, at: 8 })).toEqual(failed);
    expect(afterCommit(failed, { ok: true }, { bytes: 12, at: 8 })).toMatchObject({
      commits: 1,
      documentBytes: 12,
      lastFailure: null,
    });
  });
});
