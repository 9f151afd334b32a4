import { describe, expect, it } from 'vitest';

import { judgeHomeChoice, pageToLookUp } from '#machines/dashboard/home-choice.ts';

const dashboards = [
  { path: 'hall-panel', title: 'Hall' },
  { path: 'kitchen', title: 'Cooking' },
];

describe('a home dashboard that is chosen', () => {
  it.each([
    ['hal-pannel', ' The nearest are /hall-panel and /kitchen.'],
    ['COOKING', ' The nearest are /kitchen and /hall-panel.'],
  ])('%s is refused with the nearest, by path or title', (section, offer) => {
    const judged = judgeHomeChoice(section, { dashboards, sections: ['energy'] });
    expect(judged).toMatchObject({ ok: false, reason: 'unknown' });
    expect(judged.ok ? '' : judged.message).toContain(offer);
  });

  it('is accepted if Home Assistant has the page, dashboard or not', () => {
    expect(judgeHomeChoice('energy', { dashboards, sections: ['energy'] })).toEqual({ ok: true, value: null });
  });

  it('is refused without the names that could not be entered', () => {
    const paths = ['kitchen-panel\u202E', '../kitchen-panel', 'kitchen panel', '/evil.example'];
    const judged = judgeHomeChoice('kitchen-pannel', {
      dashboards: paths.map((path) => ({ path, title: 'Kitchen' })),
      sections: paths,
    });
    expect(judged.ok ? '' : judged.message).toMatch(/with this path\.$/);
  });

  it('is compared with the first hundred dashboards', () => {
    const many = Array.from({ length: 101 }, (_, at) => ({ path: at === 100 ? 'hal-pannels' : `x-${at}`, title: 'X' }));
    const judged = judgeHomeChoice('hal-pannel', { dashboards: many, sections: [] });
    expect(judged.ok ? '' : judged.message).not.toContain('hal-pannels');
  });

  it('is refused without an offer where there is no dashboard', () => {
    const judged = judgeHomeChoice('x', { dashboards: [], sections: [] });
    expect(judged.ok ? '' : judged.message).toMatch(/with this path\.$/);
  });

  it.each([
    ['/lovelace/hall', '', 'lovelace'],
    ['/lovelace/hall', '/lovelace/hall', null],
    ['', '/lovelace', null],
    [null, '/lovelace', null],
  ])('%j in place of %j is looked up as %j', (value, saved, section) =>
    expect(pageToLookUp(value, saved)).toBe(section),
  );
});
