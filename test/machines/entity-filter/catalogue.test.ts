import { describe, expect, it } from 'vitest';

import { type CatalogueQuery, catalogueOf, decisionsOf } from '#machines/entity-filter/catalogue.ts';
import type { Evidence, Learned, Member } from '#machines/entity-filter/persisted.ts';
import { issueOf } from '#machines/entity-filter/fingerprint.ts';

import { unknown } from './house.ts';

const evidence: readonly Evidence[] = [{ source: 'configuration', place: { view: 'Hall', card: 'tile' } }];
const member = (entityId: string, change: Partial<Member> = {}): Member => ({
  entityId,
  override: 'auto',
  evidence,
  misses: 0,
  exists: true,
  ...change,
});

const learned: Learned = {
  ...unknown,
  members: [
    member('light.attic', { misses: 2 }),
    member('light.cellar', { exists: false }),
    member('light.hall', { override: 'pinned', evidence: [] }),
    member('light.stove', { override: 'forced_exclude', misses: 1 }),
    member('sensor.attic', { evidence: [] }),
    member('zone.home', { evidence: [] }),
  ],
};

const asked = (change: Partial<CatalogueQuery>) =>
  catalogueOf(learned, { q: '', filter: 'all', sort: 'entity_id', dir: 'asc', limit: 10, offset: 0, ...change });
const listed = (change: Partial<CatalogueQuery>): readonly string[] =>
  asked(change).items.map(({ entity_id: id }) => id.replace('light.', ''));

describe('the rows of a dashboard', () => {
  it.each([
    [{}, ['attic', 'cellar', 'hall', 'stove', 'sensor.attic', 'zone.home']],
    [{ filter: 'subscribed' }, ['attic', 'hall', 'zone.home']],
    [{ filter: 'candidate' }, ['sensor.attic']],
    [{ filter: 'review' }, ['attic', 'cellar', 'stove']],
    [{ filter: 'excluded' }, ['stove']],
    [{ filter: 'missing' }, ['cellar']],
    [{ q: 'attic' }, ['attic', 'sensor.attic']],
    [{ q: 'attic', filter: 'subscribed' }, ['attic']],
    [{ dir: 'desc', limit: 2 }, ['zone.home', 'sensor.attic']],
    [{ limit: 2, offset: 5 }, ['zone.home']],
    [{ sort: 'misses', dir: 'desc', limit: 2 }, ['attic', 'stove']],
    [{ sort: 'override' }, ['attic', 'cellar', 'sensor.attic', 'zone.home', 'stove', 'hall']],
    [{ q: 'nothing' }, []],
  ] as const)('%o', (query, ids) => {
    expect(listed(query)).toEqual(ids);
  });

  it('say how many there are in all', () => {
    expect(asked({ limit: 1, filter: 'subscribed' }).total).toBe(3);
  });

  it('are found and sorted by their names, one without by its id', () => {
    const members = [
      member('light.a', { name: 'Zoo' }),
      member('light.b', { name: 'alcove' }),
      member('light.kitchen'),
    ];
    const found = (q: string) =>
      catalogueOf({ members }, { q, filter: 'all', sort: 'name', dir: 'asc', limit: 9, offset: 0 }).items.map(
        ({ entity_id: id, name }) => [id, name],
      );
    expect(found('')).toEqual([
      ['light.b', 'alcove'],
      ['light.kitchen', null],
      ['light.a', 'Zoo'],
    ]);
    expect(found('zoo')).toEqual([['light.a', 'Zoo']]);
    expect(found('light.a')).toEqual([['light.a', 'Zoo']]);
  });

  it('say what is known of each', () => {
    expect(asked({ limit: 2 }).items).toEqual([
      {
        entity_id: 'light.attic',
        name: null,
        subscribed: true,
        override: 'auto',
        missing: false,
        misses: 2,
        reasons: [{ source: 'configuration', view: 'Hall', card: 'tile' }],
      },
      expect.objectContaining({ entity_id: 'light.cellar', missing: true }),
    ]);
    const read = catalogueOf(
      { members: [member('light.hall', { evidence: [{ source: 'read', place: null }] })] },
      { q: '', filter: 'all', sort: 'entity_id', dir: 'asc', limit: 1, offset: 0 },
    );
    expect(read.items[0]?.reasons).toEqual([{ source: 'read', view: null, card: null }]);
  });
});

describe('what the owner has to decide', () => {
  it('is counted', () => {
    const place = { view: 'Hall', card: 'markdown' };
    const strategy = issueOf('hall', 'strategy', place);
    const file = issueOf('hall', 'enumerating-code', { view: null, card: null }, 'a.js');
    const issues = [
      strategy,
      file,
      issueOf('hall', 'template', place),
      issueOf('hall', 'missing', place, 'light.cellar'),
    ];
    expect(decisionsOf({ issues, ignored: [strategy.fingerprint, '0000000000000000'] })).toEqual({
      dashboard_issue_count: 3,
      blocking_issue_count: 1,
      ignored_issue_count: 1,
      dynamic_expressions: 1,
    });
    expect(decisionsOf(unknown)).toMatchObject({ dashboard_issue_count: 0, ignored_issue_count: 0 });
  });
});
