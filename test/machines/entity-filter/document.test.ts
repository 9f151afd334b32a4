import { describe, expect, it } from 'vitest';

import { emptyState, readPersisted } from '#machines/entity-filter/document.ts';
import { type PersistedState, type Learned, MOST_DASHBOARDS } from '#machines/entity-filter/persisted.ts';
import { afterEnumerated, afterOpened, afterRead, afterScan, withDecision } from '#machines/entity-filter/members.ts';

import { cards, memberOf, unknown } from './house.ts';

const all = { auto_static: true, auto_runtime: true };
const scan = cards({ type: 'tile', entity: 'light.hall', name: '{{ 1 }}' }, { type: 'tile', entity: 'light.cellar' });
const hall: Learned = afterOpened(
  afterRead(afterScan(unknown, scan, all, 5), ['sensor.attic'], all),
  'light.attic',
  all,
);
const seen = afterEnumerated({ ...hall, dashboard: 'kitchen' }, 'all-lights.js');
const blocked = withDecision(seen, seen.issues[0]?.fingerprint ?? '', true);
const persisted: PersistedState = {
  version: 1,
  policy: { auto_static: true, auto_runtime: false },
  manual: { enabled: true, ids: ['light.a', 'light.b'] },
  accounts: [{ server: 'http://ha.test:8123', user: 'anna', start: 'wall-panel', dashboards: [hall, blocked] }],
};

/** What is read of the document where the first dashboard was damaged. */
function damaged(change: Readonly<Record<string, unknown>>): Learned | undefined {
  const [account] = persisted.accounts;
  const read = readPersisted({
    ...persisted,
    accounts: [{ ...account, dashboards: [{ ...hall, ...change }, blocked] }],
  });
  expect(read.accounts[0]?.dashboards.at(-1)).toEqual(blocked);
  return read.accounts[0]?.dashboards.find(({ dashboard }) => dashboard === hall.dashboard);
}

describe('the document', () => {
  it('gives back what was kept, as JSON', () => {
    expect(readPersisted(JSON.parse(JSON.stringify(persisted)))).toEqual(persisted);
    expect(readPersisted(JSON.parse(JSON.stringify(emptyState)))).toEqual(emptyState);
  });

  it.each([[null], [[]], ['x'], [{}], [{ ...persisted, version: 2 }]])('is none: %o', (json) => {
    expect(() => readPersisted(json)).toThrow();
  });

  it.each([
    [{ policy: 'all' }, { policy: all }],
    [{ policy: { auto_static: false } }, { policy: all }],
    [{ manual: null }, { manual: { enabled: false, ids: [] } }],
    // Half of a list is none.
    [{ manual: { enabled: true, ids: ['light.b', 'Light A', 7] } }, { manual: { enabled: false, ids: ['light.b'] } }],
    [{ manual: { enabled: true, ids: ['light.b', 'light.a'] } }, { manual: persisted.manual }],
    [{ accounts: 'none' }, { accounts: [] }],
    [{ accounts: [null, { user: 'anna' }, ...persisted.accounts] }, { accounts: persisted.accounts }],
    [{ accounts: [{ server: 'a', user: 'b', start: 7 }] }, { accounts: [{ start: null, dashboards: [] }] }],
    [{ more: 1 }, persisted],
  ])('loses a part that is wrong, and no other: %o', (change, expected) => {
    expect(readPersisted({ ...persisted, ...change })).toMatchObject({ ...persisted, ...expected });
  });

  it.each([
    ['a member', { members: [...hall.members, { entityId: 'Not an id' }] }],
    ['an issue', { issues: [{}, ...hall.issues] }],
    ['what is ignored', { ignored: ['x'] }],
    ['an id of its set', { active: ['light.hall', 7] }],
    ['the time', { scannedAt: 'yesterday' }],
    ['something that does not belong there', { color: 'red' }],
  ])('has a dashboard scanned again, unfiltered, where this is wrong: %s', (_, change) => {
    expect(damaged(change)).toMatchObject({ scannedAt: null, active: null, members: hall.members });
  });

  it('keeps the owner’s word where a dashboard is damaged', () => {
    const members = hall.members.map((one) => ({ ...one, override: 'pinned' }));
    const read = damaged({ members, active: 7 });
    expect(read === undefined ? undefined : memberOf(read, 'light.hall')?.override).toBe('pinned');
    expect(damaged({ dashboard: 7 })).toBeUndefined();
  });

  it('puts in order what another hand wrote', () => {
    const active = [...(hall.active ?? []), 'light.hall'].toReversed();
    expect(damaged({ members: hall.members.toReversed(), active })).toEqual(hall);
  });

  it('reads no more dashboards than are kept', () => {
    const [account] = persisted.accounts;
    const dashboards = Array.from({ length: MOST_DASHBOARDS + 1 }, (_, at) => ({ ...hall, dashboard: `d${at}` }));
    expect(
      readPersisted({ ...persisted, accounts: [{ ...account, dashboards }] }).accounts[0]?.dashboards,
    ).toHaveLength(MOST_DASHBOARDS);
  });
});
