import { describe, expect, test } from 'vitest';
import { createApp } from '#routes/app.ts';
import { pathMatcher } from '#routes/kit/path-pattern.ts';
import { flatPaths } from '#routes/legacy.ts';
import { pagePaths } from '#routes/pages.tsx';
import { fakeDeps } from '#test/fakes/route-deps.ts';

const inspection = { charts: [], records: () => [], onNext: () => () => {} };
const deps = fakeDeps({ inspection });
const app = createApp(deps);
const pages = pagePaths(deps);
const paths = flatPaths(app.table);

const call = (path: string, init?: RequestInit): Promise<Response> =>
  Promise.resolve(app.fetch(new Request(`http://panel.invalid${path}`, init), {}));
/** A path with something in the place of its parameters. */
const filled = (path: string): string => path.replace(/\{\w+\}/g, 'x%2Fy');

describe('flat paths', () => {
  test('are those of the table, one for each versioned path but a few', () => {
    const versioned = new Set(app.table.map(({ path }) => path).filter((path) => path.startsWith('/api/v1/')));
    const without = [...versioned].filter((path) => !paths.includes(path.slice('/api/v1'.length)));
    expect(without.toSorted()).toEqual([
      '/api/v1/dev/machines',
      '/api/v1/dev/stream',
      '/api/v1/health',
      '/api/v1/play',
    ]);
    expect(paths.length).toBe(versioned.size - without.length);
    expect(paths.length).toBeGreaterThan(30);
  });

  test.each(paths.filter((path) => !pages.has(path)))('%s answers 308, query and method kept', async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PROPFIND']) {
      const response = await call(`${filled(path)}?x=1&y=%2F`, { method });
      expect([method, response.status, response.headers.get('location')]).toEqual([
        method,
        308,
        `/api/v1${filled(path)}?x=1&y=%2F`,
      ]);
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
    expect(deps.registry.told).toEqual([]);
  });

  test('keep parameters of the path', async () => {
    const response = await call('/profiles/x/revisions/y');
    expect([response.status, response.headers.get('location')]).toEqual([308, '/api/v1/profiles/x/revisions/y']);
    expect((await call('/profiles/x/revisions')).status).toBe(404);
  });

  const shared = paths.filter((path) => pages.has(path));
  test('that are pages too', () =>
    expect(shared.toSorted()).toEqual(['/history', '/logs', '/profiles', '/setup', '/setup/reset', '/simulator']));
  test.each(shared)('%s is read as a page, and every other method redirects', async (path) => {
    const page = await call(path);
    expect([page.status, page.headers.get('content-type')?.slice(0, 9)]).toEqual([200, 'text/html']);
    expect((await call(path, { method: 'HEAD' })).status).toBe(200);
    const response = await call(`${path}?x=1`, { method: 'POST', body: '{}' });
    expect([response.status, response.headers.get('location')]).toEqual([308, `/api/v1${path}?x=1`]);
  });

  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
  test.each([
    ['GET', browser, 307, '/proximity-setup'],
    ['HEAD', browser, 307, '/proximity-setup'],
    ['POST', browser, 308, '/api/v1/proximity?x=1'],
    ['GET', '*/*', 308, '/api/v1/proximity?x=1'],
    ['GET', 'application/json', 308, '/api/v1/proximity?x=1'],
    ['GET', 'application/json, text/html;q=0.5', 308, '/api/v1/proximity?x=1'],
    ['GET', 'text/html;q=0', 308, '/api/v1/proximity?x=1'],
  ])('%s /proximity that accepts %s answers %d', async (method, accept, status, location) => {
    const response = await call('/proximity?x=1', { method, headers: { accept } });
    expect([response.status, response.headers.get('location')]).toEqual([status, location]);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect((await call('/config', { method, headers: { accept } })).status).toBe(308);
  });

  test('lead a browser to a page that is there', () => expect(pages.has('/proximity-setup')).toBe(true));

  test.each(['/health', '/play', '/dev/machines', '/dev/stream', '/nothing', '/perf', '/'])(
    '%s is never one',
    async (path) => {
      for (const method of ['GET', 'POST']) expect((await call(path, { method })).status).not.toBe(308);
      expect(paths.some((flat) => pathMatcher(flat)(path))).toBe(false);
    },
  );

  test('the reset is found under its short name too', async () => {
    const response = await call('/reset');
    expect([response.status, response.headers.get('location')]).toEqual([308, '/setup/reset']);
    expect((await call('/reset', { method: 'POST', body: '{}' })).status).toBe(404);
  });

  test('a path without a page on this panel redirects its GET too', async () => {
    const real = createApp(fakeDeps({ simulated: false }));
    expect(flatPaths(real.table)).not.toContain('/simulator');
    expect((await real.fetch(new Request('http://panel.invalid/simulator'), {})).status).toBe(404);
  });
});

describe('guards and bounds look at the versioned path first', () => {
  test.each(['/screenshot.png', '/logs/stream', '/packages', '/profiles/report', '/profiles/device-draft'])(
    'a GET of %s starts work',
    (path) => {
      expect(app.isActiveGet(path, '')).toBe(true);
      expect(app.isActiveGet(`/api/v1${path}`, '')).toBe(true);
    },
  );
  test('a GET of any other flat path starts what its versioned one starts', () => {
    for (const path of paths)
      expect([path, app.isActiveGet(filled(path), '')]).toEqual([path, app.isActiveGet(`/api/v1${filled(path)}`, '')]);
    expect(app.isActiveGet('/status', '')).toBe(false);
    expect(app.isActiveGet('/status', 'refresh=1')).toBe(true);
  });
  test('as many bytes are taken', () => {
    for (const path of paths)
      for (const method of ['GET', 'POST'])
        expect([path, app.maxBodyBytes(method, filled(path))]).toEqual([
          path,
          app.maxBodyBytes(method, `/api/v1${filled(path)}`),
        ]);
    expect(app.maxBodyBytes('POST', '/profiles/preview')).toBe(131_072);
    expect(app.maxBodyBytes('POST', '/proximity/calibration')).toBe(4096);
  });
});
