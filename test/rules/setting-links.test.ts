import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { pathOfField, settingPages } from '#machines/setting-groups.ts';
import { sourceFiles } from './read-edges.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What leads to settings in the code of the product: `/configure/...` in a string or a link. */
const links = sourceFiles(root, ['machines', 'routes', 'ui', 'drivers', 'actors', 'bin']).flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/["'](\/configure[/#][^"'\s]+)["']/g)].map(
    ([, link = '']) => [file, link] as const,
  ),
);

it('each link of the product to a group or a field of the settings leads to where it stands', () => {
  expect(links.length).toBeGreaterThan(8);
  const wrong = links.filter(([, link]) => {
    const [, page = '', field] = /^\/configure\/([a-z-]+)(?:#field-(\w+))?/.exec(link) ?? [];
    return field === undefined ? !settingPages.includes(page) : pathOfField(field) !== link;
  });
  expect(wrong.filter(([file]) => file !== 'routes/configure.tsx')).toEqual([]);
});
