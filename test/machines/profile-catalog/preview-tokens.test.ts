import { describe, expect, it } from 'vitest';

import { allowsImport, issueToken, previewMs, type PreviewTokens } from '#machines/profile-catalog/preview-tokens.ts';

const one = { token: 't1', revision: 'a'.repeat(64) };

describe('the permission to save what was previewed', () => {
  const { issued, tokens } = issueToken([], one, 1000);
  it.each<[string, string, string, number, boolean]>([
    ['the same bytes', one.token, one.revision, 1000, true],
    ['the same bytes, as long as it lasts', one.token, one.revision, 1000 + previewMs - 1, true],
    ['a preview that has expired', one.token, one.revision, 1000 + previewMs, false],
    ['other bytes', one.token, 'b'.repeat(64), 1000, false],
    ['another token', 't2', one.revision, 1000, false],
  ])('for %s', (_, token, revision, now, allowed) => {
    expect(allowsImport(tokens, token, revision, now)).toBe(allowed);
    expect(issued).toEqual({ ...one, expiresAt: 1000 + previewMs });
  });

  it('is kept for the newest 64', () => {
    let all: PreviewTokens = tokens;
    for (let at = 0; at < 63; at += 1) all = issueToken(all, { token: `n${at}`, revision: one.revision }, 1000).tokens;
    expect(allowsImport(all, one.token, one.revision, 1000)).toBe(true);
    all = issueToken(all, { token: 'last', revision: one.revision }, 1000).tokens;
    expect(allowsImport(all, one.token, one.revision, 1000)).toBe(false);
    expect(all).toHaveLength(64);
  });
});
