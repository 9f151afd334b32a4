import { describe, expect, it } from 'vitest';

import { filterAfter } from '#actors/backup/filter-after.ts';
import type { FilterPart } from '#machines/backup/parts.ts';
import { issueOf } from '#machines/entity-filter/fingerprint.ts';
import type { Learned, PersistedState } from '#machines/entity-filter/persisted.ts';

import { account, archived, filter, fullPanel } from './panels.ts';

const part = archived(fullPanel()).filter as FilterPart;
const learned = (change: Partial<Learned>): PersistedState => ({
  ...filter,
  accounts: filter.accounts.map((one) => ({
    ...one,
    dashboards: one.dashboards.map((dashboard) => ({ ...dashboard, ...change })),
  })),
});
function dashboardIn(state: PersistedState | 'keep'): Learned {
  const dashboard = state === 'keep' ? undefined : state.accounts[0]?.dashboards[0];
  if (dashboard === undefined) throw new Error('there is no dashboard');
  return dashboard;
}

describe('the entity filter after a restore', () => {
  it('stays as it is if it has the same decisions', () => {
    expect(filterAfter(filter, part)).toBe('keep');
  });

  it('keeps what it learned here, under the archived decisions', () => {
    const members =
      filter.accounts[0]?.dashboards[0]?.members.map((one) => ({ ...one, override: 'auto' as const })) ?? [];
    const fresh = { entityId: 'light.new', override: 'pinned' as const, evidence: [], misses: 0, exists: true };
    const after = dashboardIn(filterAfter(learned({ members: [...members, fresh], active: ['light.new'] }), part));
    expect(after.scannedAt).toBe(90);
    expect(after.members.map(({ entityId, override }) => [entityId, override])).toEqual([
      ['light.cellar', 'forced_exclude'],
      ['light.hall', 'auto'],
      ['light.new', 'auto'],
      ['sensor.hall', 'pinned'],
    ]);
    expect(after.active).toEqual(['light.hall', 'sensor.hall']);
  });

  it('filters no dashboard in which something blocks that nobody has looked at', () => {
    const issue = issueOf('lovelace', 'strategy', { view: null, card: null });
    const blocked = learned({ issues: [issue], active: null });
    const other = { ...part, manual: { enabled: false, ids: [] } };
    expect(dashboardIn(filterAfter(blocked, other)).active).toBeNull();
    const ignored = {
      ...part,
      accounts: part.accounts.map((one) => ({
        ...one,
        dashboards: one.dashboards.map((d) => ({ ...d, ignored: [issue.fingerprint] })),
      })),
    };
    expect(dashboardIn(filterAfter(blocked, ignored)).active).toEqual(['light.hall', 'sensor.hall']);
  });

  it('keeps accounts and dashboards that the archive does not have', () => {
    const other = { server: 'http://other.invalid:8123', user: 'user-two', start: null, dashboards: [] };
    const extra = { ...dashboardIn(filter), dashboard: 'kitchen-panel' };
    const own = learned({});
    const before = {
      ...own,
      accounts: [other, ...own.accounts.map((one) => ({ ...one, dashboards: [extra, ...one.dashboards] }))],
    };
    const after = filterAfter(before, { ...part, policy: { auto_static: false, auto_runtime: false } });
    expect(after).toMatchObject({
      policy: { auto_static: false },
      accounts: [{ ...account, dashboards: [{ dashboard: 'lovelace' }, { dashboard: 'kitchen-panel' }] }, other],
    });
    expect(filterAfter(after, { ...part, policy: { auto_static: false, auto_runtime: false } })).toBe('keep');
  });

  it.each([null, 'text', { version: 7 }])(
    'begins with the archived decisions where there was nothing usable: %j',
    (stored) => {
      const after = filterAfter(stored, part);
      expect(dashboardIn(after)).toMatchObject({ scannedAt: null, active: ['light.hall', 'sensor.hall'] });
      expect(filterAfter(after, part)).toBe('keep');
    },
  );
});
