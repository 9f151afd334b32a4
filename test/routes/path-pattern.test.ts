import { describe, expect, it } from 'vitest';

import { pathMatcher } from '#routes/kit/path-pattern.ts';

describe('the path of a route', () => {
  it.each([
    ['/api/v1/status', '/api/v1/status', true],
    ['/api/v1/status', '/api/v1/status/', false],
    ['/api/v1/profiles/{id}', '/api/v1/profiles/hall', true],
    ['/api/v1/profiles/{id}', '/api/v1/profiles/', false],
    ['/api/v1/profiles/{id}', '/api/v1/profiles/hall/revisions', false],
    ['/api/v1/profiles/{id}/revisions/{revision}', '/api/v1/profiles/hall/revisions/a%2Fb', true],
    ['/a.b/{c}', '/aXb/c', false],
    ['/a.b/{c}', '/a.b/c', true],
  ])('%s and a request for %s: %s', (path, asked, matches) => {
    expect(pathMatcher(path)(asked)).toBe(matches);
  });
});
