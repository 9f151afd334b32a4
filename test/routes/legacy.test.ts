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
    expect(shared.toSorted()).toEqual([
      '/companion',
      '/history',
      '/logs',
      '/profiles',
      '/setup',
      '/setup/reset',
      '/simulator',
    ]));
  test.each(shared)('%s is read as a page, and every other method redirects', async (path) => {
    const page = await call(path);
    expect([page.status, page.headers.get('content-type')?.slice(0, 9)]).toEqual([200, 'text/html']);
    expect((await call(path, { method: 'HEAD' })).status).toBe(200);
    const response = await call(`${path}?x=1`, { method: 'POST', body: '{}' });
    expect([response.status, response.headers.get('location')]).toEqual([308, `/api/v1${path}?x=1`]);
  });

  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
  test.each([browser, '*/*', 'application/json', 'text/html;q=0'])(
    'answer a client that accepts %s as any other, the proximity sensor too',
    async (accept) => {
      for (const method of ['GET', 'HEAD', 'POST']) {
        const response = await call('/proximity?x=1', { method, headers: { accept } });
        expect([response.status, response.headers.get('location')]).toEqual([308, '/api/v1/proximity?x=1']);
        expect(response.headers.get('cache-control')).toBe('no-store');
      }
    },
  );

  test('leave the page of the proximity sensor its own name', () => expect(pages.has('/proximity-setup')).toBe(true));

  test.each(['/health', '/play', '/dev/machines', '/dev/stream', '/nothing', '/install', '/voice', '/'])(
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

describe('flat paths of the families of the contract', () => {
  /** Every flat path that the contract names, with one below each family that it names as a whole. */
  const named = [
    '/info /sensors /radio /status /diag /config /config/schema /config/export /config/import /config/revisions',
    '/config/home-dashboards /config/ha-area /config/probe-broker /config/probe-log-sink /camera/status',
    '/camera/snapshot.jpg /ha/oauth/start /ha/oauth/callback /ha/oauth/status /ha/oauth/panel-start',
    '/setup/identity /setup/home-dashboard /setup/entity-filter /setup/attest /profiles/preview /profiles/import',
    '/profiles/schema /profiles/drivers /profiles/template /provisioning/plan /provisioning/plan.txt',
    '/screenshot.png /input /openapi.json /action /backup /backup/file /restore /restore/preview /install/status',
    '/install/component /install/a/b /uninstall /updates/ignore /companion/repair-url /webview/heal',
    '/auto-brightness /auto-brightness/history /auto-sleep /auto-sleep/prerequisite /auto-sleep/history',
    '/auto-sleep/source /proximity /dashboard/entity-filter /dashboard/entities /perf /perf/history /perf/costs',
    '/perf/binding /logs/stream /sensortrace /inspect/start /power-safety /power-safety/state /power-safety/repair',
    '/power-safety/acknowledge /apps /packages /peers /ui/layout /dashboard/clear-storage /display/density /tame',
    '/logship/status /voice/wake-words /voice/pipelines /voice/test',
  ].flatMap((line) => line.split(' '));

  test.each(named)('%s answers 308 before its route exists, query and method kept', async (path) => {
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
      const response = await call(`${path}?x=1&y=%2F`, { method });
      expect([response.status, response.headers.get('location')]).toEqual([308, `/api/v1${path}?x=1&y=%2F`]);
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
  });

  test.each(['/perf', '/voice/wake-words', '/power-safety/state'])(
    '%s leads to an answer that names no route',
    async (path) => {
      expect((await call(`/api/v1${path}`)).status).toBe(404);
      expect(app.isActiveGet(path, '')).toBe(false);
    },
  );
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
