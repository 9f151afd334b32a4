import { describe, expect, it } from 'vitest';

import { changed } from '#machines/entity-filter/transitions.ts';
import { emptyState } from '#machines/entity-filter/document.ts';
import type { Learned } from '#machines/entity-filter/persisted.ts';
import { initialFacts } from '#machines/entity-filter/facts.ts';
import { replaced } from '#machines/entity-filter/sets.ts';

import { unknown } from './house.ts';

const learned = (dashboard: string, count: number): Learned => ({
  ...unknown,
  dashboard,
  scannedAt: 1,
  members: Array.from({ length: count }, (_, at) => ({
    entityId: `light.l${at}`,
    override: 'auto',
    evidence: [],
    misses: 0,
    exists: true,
  })),
});
const dashboards = [learned('hall', 30_000), learned('kitchen', 20_000)];

describe('the dashboards of an account, which are full', () => {
  it('lose the set of the one that the page makes grow, and of no other', () => {
    const after = replaced(dashboards, learned('kitchen', 20_001));
    expect(after.map(({ members, issues, active }) => [members.length, issues.length, active])).toEqual([
      [30_000, 0, null],
      [0, 1, null],
    ]);
  });

  it('take a decision on an entity that they have, and refuse one that they have not', () => {
    const account = { server: 'http://ha.test:8123', user: 'anna' };
    const persisted = { ...emptyState, accounts: [{ ...account, start: null, dashboards }] };
    const pin = (id: string) =>
      changed(
        { ...initialFacts, account, persisted, dashboards },
        {
          type: 'entity-filter.override',
          requestId: 'a',
          dashboard: 'kitchen',
          entityIds: [id],
          override: 'pinned',
          force: true,
        },
      );
    expect(pin('light.l1').ok).toBe(true);
    expect(pin('light.new')).toMatchObject({ ok: false, reason: 'too-many' });
  });
});
