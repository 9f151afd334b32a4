import { describe, expect, it } from 'vitest';

import { inPageOrder, inSidebarOrder, titleOf } from '#machines/entity-filter/titles.ts';

const listed = [
  { dashboard: 'wall-panel', title: 'Wall' },
  { dashboard: 'lovelace', title: 'lovelace' },
  { dashboard: 'map', title: 'map' },
  { dashboard: 'attic', title: 'Lights' },
  { dashboard: 'cellar', title: 'Lights' },
  { dashboard: 'a-garden', title: 'Änne’s garden' },
];

describe('the title of a dashboard', () => {
  it.each([
    ['wall-panel', 'Wall'],
    ['map', 'Map'],
    ['energy', 'Energy'],
    ['kitchen_panel-2', 'Kitchen panel 2'],
    ['attic', 'Lights (attic)'],
    ['-', '-'],
  ])('of %s is "%s"', (dashboard, title) => expect(titleOf(listed, dashboard)).toBe(title));

  it('is its path in words until the sidebar was read', () => expect(titleOf([], 'wall-panel')).toBe('Wall panel'));
});

describe('the order of dashboards', () => {
  const order = (home: string | null, ...dashboards: readonly string[]) =>
    inPageOrder(
      { home, titles: inSidebarOrder(listed) },
      dashboards.map((dashboard) => ({ dashboard })),
    ).map(({ dashboard }) => dashboard);

  it('is home, then by title as in the sidebar, then those that are not in it', () => {
    expect(order('wall-panel', 'map', 'home', 'attic', 'energy', 'wall-panel', 'a-garden')).toEqual([
      'wall-panel',
      'a-garden',
      'attic',
      'map',
      'energy',
      'home',
    ]);
    expect(order(null, 'wall-panel', 'attic')).toEqual(['attic', 'wall-panel']);
  });

  it('is kept of 500 at most', () => {
    const many = Array.from({ length: 501 }, (_, index) => ({ dashboard: `d${index}`, title: `${index}` }));
    expect(inSidebarOrder(many)).toHaveLength(500);
  });
});
