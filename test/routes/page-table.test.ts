import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { createApp } from '#routes/app.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';
import { eachPage } from '#ui/page-table.ts';

const styles = fileURLToPath(new URL('../../ui/styles/', import.meta.url));
const ask = async (deps: Parameters<typeof fakeDeps>[0], path: string): Promise<number> =>
  (await createApp(fakeDeps(deps, settledFacts())).fetch(new Request(`http://panel.invalid${path}`), {})).status;

describe('the table of the pages', () => {
  const paths = eachPage.flatMap(({ path }) => path ?? []);

  it('names every path once', () => {
    expect(paths.length).toBeGreaterThan(15);
    expect(new Set(paths).size).toBe(paths.length);
  });

  it('has no more pages in the bar than fit on a phone', () => {
    expect(eachPage.filter(({ place }) => place?.in === 'bar').length).toBeLessThanOrEqual(5);
  });

  it.each(paths)('names a path that is answered by a page: %s', async (path) => {
    const inspection = { charts: [], records: () => [], onNext: () => () => undefined };
    expect([200, 503]).toContain(await ask({ simulated: true, inspection }, path));
  });

  it.each(eachPage.filter(({ exists }) => exists !== undefined))(
    'leaves out $path where it does not exist',
    async ({ path }) => {
      expect(await ask({ simulated: false, inspection: null }, path ?? '')).toBe(404);
    },
  );

  it('names stylesheets that are there', () => {
    const named = eachPage.flatMap(({ styles: own = [] }) => own);
    expect(named.filter((name) => !existsSync(`${styles}${name}.css`))).toEqual([]);
  });
});
