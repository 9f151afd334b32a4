import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { entityRows } from '#machines/entities.ts';
import { entityTable, unknownRemarks } from './reference.ts';

const root = new URL('../../../', import.meta.url);
const file = fileURLToPath(new URL('machines/entities/README.md', root));
const text = readFileSync(file, 'utf8');
const ids = new Set(entityRows.map(({ entityKind, key }) => `${entityKind}.<panel>_${key}`));

/** Entity ids that a page for owners names, and that no panel has; the panel's own action is none of them. */
const strangeIds = (page: string): readonly string[] =>
  [...page.matchAll(/\b[a-z_]+\.<panel>_\w+/g)].flatMap(([id]) =>
    ids.has(id) || id === 'script.<panel>_say' ? [] : [id],
  );

describe('the list of all entities', () => {
  it('is what the catalogue has; run with -u to write it again', async () => {
    const part = /(<!-- entities -->\n)[^]*?(\n<!-- end -->)/;
    expect(text).toMatch(part);
    const written = text.replace(part, (_all, start: string, end: string) => `${start}${entityTable()}${end}`);
    await expect(written).toMatchFileSnapshot(file);
  });

  it('remarks on nothing that is gone', () => expect(unknownRemarks()).toEqual([]));

  it.each([
    'README.md',
    'MIGRATING.md',
    'drivers/README.md',
    'machines/announcer/README.md',
    'machines/entities/README.md',
    'machines/renderer/README.md',
  ])('has every entity that %s names', (page) => {
    const found = readFileSync(new URL(page, root), 'utf8');
    expect(strangeIds(found)).toEqual([]);
    expect(strangeIds(`${found} light.<panel>_sceen`)).toEqual(['light.<panel>_sceen']);
  });
});
