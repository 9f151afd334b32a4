import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { ScanInput } from '#machines/entity-filter/events.ts';
import { type Learned, MOST_DASHBOARDS, MOST_IDS, type Policy } from '#machines/entity-filter/persisted.ts';
import {
  afterEnumerated,
  afterOpened,
  afterRead,
  afterScan,
  needsConfirmation,
  withActivation,
  withDecision,
  withOverride,
} from '#machines/entity-filter/members.ts';
import { alwaysOf, wantedOf, withinBounds } from '#machines/entity-filter/sets.ts';

import { always, cards, existing, memberOf, scanOf, unknown } from './house.ts';

const all: Policy = { auto_static: true, auto_runtime: true };
const tile = (...entities: readonly string[]): ScanInput => cards({ type: 'entities', entities });
const scanned = (learned: Learned, ...scans: readonly ScanInput[]): Learned =>
  scans.reduce((before, scan, at) => afterScan(before, scan, all, at), learned);
const hall = scanned(unknown, tile('light.hall'));
const set = (...ids: readonly string[]): readonly string[] => [...ids, ...always].toSorted();

/** The dashboard with an override, which must be possible. */
function overridden(...[learned, ids, override, force]: Parameters<typeof withOverride>): Learned {
  const made = withOverride(learned, ids, override, force);
  if (!made.ok) throw new Error(made.message);
  return made.learned;
}

/** The dashboard activated, which must be possible. */
function activated(learned: Learned): Learned {
  const made = withActivation(learned);
  if ('ok' in made) throw new Error(made.message);
  return made;
}

describe('the name of an entity', () => {
  const named = (names: readonly string[], change: Partial<ScanInput> = {}): ScanInput => ({
    ...tile('light.hall'),
    existing: ['light.hall', 'zone.home'],
    names,
    ...change,
  });
  const nameOf = (...scans: readonly ScanInput[]) => memberOf(scanned(unknown, ...scans), 'light.hall')?.name;

  it('is that of the newest scan, and stays while Home Assistant does not have it', () => {
    expect(nameOf(named(['Hall', 'Home']))).toBe('Hall');
    expect(nameOf(named(['Hall', 'Home']), named(['Hall light', 'Home']))).toBe('Hall light');
    expect(nameOf(named(['Hall', 'Home']), named(['', 'Home']))).toBeUndefined();
    expect(nameOf(named(['Hall', 'Home']), named(['Home'], { existing: ['zone.home'] }))).toBe('Hall');
    expect(nameOf(named(['x'.repeat(1000)]))?.length).toBe(255);
  });
});

describe('a scan', () => {
  it('sends a dashboard without issues what it shows, and what every set holds', () => {
    expect(alwaysOf(existing).toSorted()).toEqual(always);
    expect(hall).toMatchObject({ scannedAt: 0, existing: existing.length, active: set('light.hall') });
    expect(memberOf(hall, 'light.hall')).toEqual({
      entityId: 'light.hall',
      override: 'auto',
      evidence: [{ source: 'configuration', place: { view: 'Hall', card: 'entities' } }],
      misses: 0,
      exists: true,
    });
    expect(memberOf(hall, 'zone.home')?.evidence).toEqual([]);
  });

  it('drops what three scans in a row did not find, and not before', () => {
    const gone = [1, 2, 3].map((times) => scanned(hall, ...Array.from({ length: times }, () => tile('light.kitchen'))));
    expect(gone.map((learned) => memberOf(learned, 'light.hall')?.misses)).toEqual([1, 2, undefined]);
    expect(gone.map(({ active }) => active?.includes('light.hall'))).toEqual([true, true, false]);
  });

  it('counts misses in a row alone', () => {
    const other = tile('light.kitchen');
    const back = scanned(hall, other, other, tile('light.hall'), other, other);
    expect(memberOf(back, 'light.hall')?.misses).toBe(2);
  });

  it('keeps an id that does not exist in the set, and says that it does not', () => {
    const learned = scanned(unknown, tile('light.cellar'));
    expect(memberOf(learned, 'light.cellar')?.exists).toBe(false);
    expect(learned.active).toContain('light.cellar');
    const made = scanned(learned, { ...tile('light.cellar'), existing: ['light.cellar'] });
    expect(memberOf(made, 'light.cellar')?.exists).toBe(true);
  });

  it('drops what every set held and is gone', () => {
    const scan = { ...tile('light.hall'), existing: ['light.hall', 'sun.sun'] };
    expect(scanned(hall, scan, scan, scan).active).toEqual(['light.hall', 'sun.sun']);
  });

  it('learns nothing of a configuration by itself where the owner does not want it: candidates', () => {
    const learned = afterScan(unknown, tile('light.hall'), { auto_static: false, auto_runtime: true }, 1);
    expect(memberOf(learned, 'light.hall')).toMatchObject({ evidence: [], misses: 0 });
    expect(learned.active).toEqual(always);
    const again = afterScan(hall, tile('light.hall'), { auto_static: false, auto_runtime: true }, 1);
    expect(again.active).toEqual(always);
    expect(overridden(again, 'candidates', 'pinned', false).active).toEqual(set('light.hall'));
  });

  it('says which dashboard is too large for a set, keeps the owner’s word, and does not filter it', () => {
    const ids = Array.from({ length: MOST_IDS + 1 }, (_, at) => `sensor.number_${at}`);
    const pinned = overridden(hall, ['light.hall'], 'pinned', true);
    const learned = scanned(pinned, scanOf({ views: [{ cards: [{ entities: ids }] }] }, { existing: ids }));
    expect(learned.members.map(({ entityId }) => entityId)).toEqual(['light.hall']);
    expect(learned).toMatchObject({ active: null, issues: [{ kind: 'too-large', blocks: true }] });
    expect(scanned(learned, tile('light.hall')).active).toEqual(set('light.hall'));
  });
});

describe('what the page reads and what is opened', () => {
  it('widens the set at once, and is the same object where it is nothing new', () => {
    const read = afterRead(hall, ['sensor.attic', 'no id', 'sensor.attic'], all);
    expect(read.active).toEqual(set('light.hall', 'sensor.attic'));
    expect(memberOf(read, 'sensor.attic')?.evidence).toEqual([{ source: 'read', place: null }]);
    expect(afterRead(read, ['sensor.attic'], all)).toBe(read);
    const opened = afterOpened(read, 'light.attic', all);
    expect(opened.active).toEqual(set('light.attic', 'light.hall', 'sensor.attic'));
    expect(afterOpened(opened, 'light.attic', all)).toBe(opened);
  });

  it('is a candidate where the owner does not want it by itself, until it is pinned', () => {
    const runtime = { auto_static: true, auto_runtime: false };
    const read = afterOpened(afterRead(hall, ['sensor.attic'], runtime), 'light.attic', runtime);
    expect(read.active).toEqual(set('light.hall'));
    expect(read.members).toHaveLength(hall.members.length + 2);
    expect(overridden(read, 'candidates', 'pinned', false).active).toEqual(
      set('light.attic', 'light.hall', 'sensor.attic'),
    );
    const before = afterScan(afterRead(hall, ['sensor.attic'], all), tile('light.hall'), runtime, 1);
    expect(before.active).toEqual(set('light.hall'));
  });

  it('stays as long as the configuration is the same, and is missed by each scan of another', () => {
    const read = afterRead(hall, ['sensor.attic'], all);
    const same = tile('light.hall');
    expect(memberOf(scanned(read, same, same, same, same), 'sensor.attic')?.misses).toBe(0);
    const edits = [tile('light.attic'), tile('light.kitchen'), tile('light.stove')];
    expect(memberOf(scanned(read, ...edits.slice(0, 2)), 'sensor.attic')?.misses).toBe(2);
    expect(memberOf(scanned(read, ...edits), 'sensor.attic')).toBeUndefined();
    const again = afterRead(scanned(read, ...edits.slice(0, 2)), ['sensor.attic'], all);
    expect(memberOf(again, 'sensor.attic')?.misses).toBe(0);
  });

  it('is missed by every scan where it was only opened', () => {
    const opened = afterOpened(hall, 'sensor.attic', all);
    const same = tile('light.hall');
    expect(memberOf(scanned(opened, same, same), 'sensor.attic')?.misses).toBe(2);
    expect(memberOf(scanned(opened, same, same, same), 'sensor.attic')).toBeUndefined();
  });

  it('takes the place of what the configuration said before, once that is missed', () => {
    const missed = scanned(hall, tile('light.kitchen'));
    const read = afterRead(missed, ['light.hall'], all);
    expect(memberOf(read, 'light.hall')).toMatchObject({ misses: 0, evidence: [{ source: 'read', place: null }] });
  });

  it('has room beside the reasons of the configuration', () => {
    const places = ['a', 'b', 'c'].map((type) => ({ type, entity: 'light.hall' }));
    const learned = afterOpened(afterRead(scanned(unknown, cards(...places)), ['light.hall'], all), 'light.hall', all);
    const sources = (one: Learned) => memberOf(one, 'light.hall')?.evidence.map(({ source }) => source);
    expect(sources(learned)).toEqual(['configuration', 'read', 'opened']);
    expect(sources(scanned(learned, cards(...places)))).toEqual(['configuration', 'read', 'opened']);
  });
});

describe('what blocks', () => {
  const blocked = scanned(hall, cards({ type: 'home-summary' }, { type: 'tile', entity: 'light.hall' }));
  const fingerprint = blocked.issues[0]?.fingerprint ?? '';

  it('has the dashboard shown unfiltered, whatever is learned', () => {
    expect(blocked).toMatchObject({ active: null, issues: [{ kind: 'enumerating-card' }] });
    expect(afterRead(blocked, ['sensor.attic'], all).active).toBeNull();
    expect(withActivation(blocked)).toMatchObject({ ok: false, reason: 'not-ready' });
    expect(needsConfirmation(blocked)).toBe(false);
  });

  it('waits for an activation once it is ignored, and none is needed afterwards', () => {
    const ignored = withDecision(blocked, fingerprint, true);
    expect(ignored.active).toBeNull();
    expect(needsConfirmation(ignored)).toBe(true);
    expect(afterRead(ignored, ['sensor.attic'], all).active).toBeNull();
    const sent = activated(ignored);
    expect(sent.active).toEqual(set('light.hall'));
    expect(needsConfirmation(sent)).toBe(false);
    expect(afterRead(sent, ['sensor.attic'], all).active).toEqual(set('light.hall', 'sensor.attic'));
    const scan = cards({ type: 'home-summary' }, { type: 'tile', entity: 'light.attic' });
    expect(scanned(sent, scan).active).toEqual(set('light.attic', 'light.hall'));
    expect(withDecision(sent, fingerprint, false).active).toBeNull();
  });

  it('is another one when it is new: the set that was accepted before is not sent any more', () => {
    const sent = activated(withDecision(blocked, fingerprint, true));
    expect(scanned(sent, cards({ type: 'home-summary' }, { type: 'custom:search-card' })).active).toBeNull();
  });

  it('is over when the scan does not find it', () => {
    expect(scanned(blocked, tile('light.hall'))).toMatchObject({ issues: [], active: set('light.hall') });
  });

  it('is code that goes through all entities, which no scan takes away', () => {
    const seen = afterEnumerated(hall, 'all-lights.js');
    expect(seen).toMatchObject({ active: null, issues: [{ kind: 'enumerating-code', subject: 'all-lights.js' }] });
    expect(afterEnumerated(seen, 'all-lights.js')).toBe(seen);
    const again = scanned(seen, tile('light.hall'));
    expect(again).toMatchObject({ active: null, issues: [{ kind: 'enumerating-code' }] });
    const ignored = withDecision(again, again.issues[0]?.fingerprint ?? '', true);
    expect(scanned(activated(ignored), tile('light.hall')).active).toEqual(set('light.hall'));
    const many = Array.from({ length: 40 }, (_, at) => `${at}.js`).reduce(afterEnumerated, hall);
    expect(many.issues).toHaveLength(16);
  });
});

describe('an override', () => {
  const read = afterRead(hall, ['sensor.attic'], all);
  const missing = scanned(unknown, tile('light.cellar'));
  it.each([
    ['excludes what is configured', hall, ['light.hall'], 'forced_exclude', false, set()],
    ['asks before it excludes what the page reads', read, ['sensor.attic'], 'forced_exclude', false, 'confirm'],
    ['excludes what the page reads', read, ['sensor.attic'], 'forced_exclude', true, set('light.hall')],
    ['asks before it excludes what every set holds', hall, ['zone.home'], 'forced_exclude', false, 'confirm'],
    ['asks before it pins what is not there', missing, ['light.cellar'], 'pinned', false, 'confirm'],
    ['asks before it pins what nobody saw', hall, ['light.roof'], 'pinned', false, 'confirm'],
    ['pins what nobody saw', hall, ['light.roof'], 'pinned', true, set('light.hall', 'light.roof')],
    ['does not know what nobody saw', hall, ['light.roof'], 'auto', true, 'unknown'],
    ['does not know what is no id', hall, ['Light Roof'], 'pinned', true, 'unknown'],
    ['changes all or nothing', read, ['light.hall', 'sensor.attic'], 'forced_exclude', false, 'confirm'],
    ['changes nothing without candidates', hall, 'candidates', 'pinned', false, set('light.hall')],
  ] as const)('%s', (_, learned, ids, override, force, expected) => {
    const made = withOverride(learned, ids, override, force);
    expect(made.ok ? made.learned.active : made.reason).toEqual(expected);
  });

  it('says why it asks twice, and of what was named just now not that it is missing', () => {
    const why = (learned: Learned, id: string, override: 'pinned' | 'forced_exclude') => {
      const made = withOverride(learned, [id], override, false);
      return made.ok ? null : made.message;
    };
    expect(why(hall, 'light.roof', 'pinned')).toMatch(/^Nothing on this dashboard names light\.roof\./);
    expect(why(missing, 'light.cellar', 'pinned')).toMatch(/^Home Assistant did not have light\.cellar/);
    expect(why(read, 'sensor.attic', 'forced_exclude')).toMatch(/^The dashboard reads sensor\.attic:/);
    const both = withOverride(hall, ['light.roof', 'light.barn'], 'pinned', false);
    expect(both.ok ? null : both.message).toMatch(/^Nothing .* light\.roof\. .* One more of them needs a second look/);
    const pinned = overridden(hall, ['light.roof'], 'pinned', true);
    expect(memberOf(pinned, 'light.roof')).toMatchObject({ exists: true });
    expect(memberOf(scanned(pinned, tile('light.hall')), 'light.roof')).toMatchObject({ exists: false });
  });

  it('survives scans that find nothing, and ends with its own member where there is no other reason', () => {
    const pinned = overridden(hall, ['light.roof'], 'pinned', true);
    const other = Array.from({ length: 5 }, () => tile('light.hall'));
    const later = scanned(overridden(pinned, ['light.hall'], 'forced_exclude', true), ...other);
    expect(later.active).toEqual(set('light.roof'));
    expect(memberOf(later, 'light.roof')).toMatchObject({ misses: 3, exists: false });
    const gone = scanned(overridden(hall, ['light.hall'], 'pinned', false), ...other.map(() => tile('light.attic')));
    expect(memberOf(gone, 'light.hall')).toMatchObject({ misses: 3, evidence: [] });
    const freed = overridden(later, ['light.roof', 'light.hall'], 'auto', false);
    expect(freed.active).toEqual(set('light.hall'));
    expect(memberOf(freed, 'light.roof')).toBeUndefined();
  });

  it('refuses more than fit', () => {
    const ids = Array.from({ length: MOST_IDS }, (_, at) => `sensor.number_${at}`);
    expect(withOverride(hall, ids, 'pinned', true)).toMatchObject({ ok: false, reason: 'too-many' });
  });
});

describe('the bounds of an account', () => {
  const many = (dashboard: string, count: number): Learned => ({
    ...afterRead(
      hall,
      Array.from({ length: count - hall.members.length }, (_, at) => `sensor.number_${at}`),
      all,
    ),
    dashboard,
  });

  it('keeps the newest dashboards', () => {
    const dashboards = Array.from({ length: MOST_DASHBOARDS + 3 }, (_, at) => ({ ...hall, dashboard: `d${at}` }));
    const persisted = withinBounds(dashboards);
    expect(persisted.map(({ dashboard }) => dashboard)).toEqual(
      dashboards.slice(0, -3).map(({ dashboard }) => dashboard),
    );
  });

  it('filters no dashboard by a part of its set', () => {
    const [first, second, third] = withinBounds([many('a', 30_000), many('b', 20_001), many('c', 20_000)]);
    expect(first?.active).toHaveLength(30_000);
    expect(second).toMatchObject({ members: [], active: null, issues: [{ blocks: true }] });
    expect(third?.active).toHaveLength(20_000);
  });
});

describe('whatever happens', () => {
  const id = fc.constantFrom(...existing, 'light.gone', 'light.away');
  const ids = fc.array(id, { maxLength: 5 });
  const step = fc.oneof(
    ids.map((found) => (learned: Learned) => afterScan(learned, tile(...found), all, 1)),
    fc.constant((learned: Learned) => afterScan(learned, cards({ type: 'home-summary' }), all, 1)),
    ids.map((read) => (learned: Learned) => afterRead(learned, read, all)),
    id.map((opened) => (learned: Learned) => afterOpened(learned, opened, all)),
    fc.constant((learned: Learned) => afterEnumerated(learned, 'a.js')),
    fc
      .tuple(ids, fc.constantFrom('auto', 'pinned', 'forced_exclude'))
      .map(([chosen, override]) => (learned: Learned) => {
        const made = withOverride(learned, chosen, override, true);
        return made.ok ? made.learned : learned;
      }),
    fc
      .boolean()
      .map(
        (ignored) => (learned: Learned) =>
          learned.issues.reduce((one, { fingerprint }) => withDecision(one, fingerprint, ignored), learned),
      ),
    fc.constant((learned: Learned) => {
      const made = withActivation(learned);
      return 'ok' in made ? learned : made;
    }),
  );

  it('is a dashboard sent all that is wanted of it, or everything', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        let learned = unknown;
        for (const take of steps) {
          learned = take(learned);
          const blocks = learned.issues.some((one) => one.blocks && !learned.ignored.includes(one.fingerprint));
          if (blocks) expect(learned.active).toBeNull();
          if (learned.active !== null) expect(learned.active).toEqual(wantedOf(learned));
          const names = learned.members.map(({ entityId }) => entityId);
          expect(names).toEqual([...new Set(names)].toSorted());
        }
      }),
    );
  });

  it('does not matter in which order the page reads', () => {
    fc.assert(
      fc.property(fc.array(ids, { maxLength: 5 }), (reads) => {
        const read = (lists: readonly (readonly string[])[]) =>
          lists.reduce((learned, list) => afterRead(learned, list, all), hall);
        expect(read(reads)).toEqual(read(reads.toReversed().map((list) => list.toReversed())));
      }),
    );
  });

  it('takes time that grows with its size alone', () => {
    const numbers = Array.from({ length: 49_000 }, (_, at) => `sensor.number_${at}`);
    const scan = scanOf({ views: [{ cards: [{ entities: numbers }] }] }, { existing: numbers });
    const before = performance.now();
    const learned = scanned(unknown, scan, scan);
    for (let at = 0; at < 5; at += 1) afterRead(learned, [`light.number_${at}`], all);
    expect(performance.now() - before).toBeLessThan(15_000);
    expect(learned.active).toHaveLength(49_000);
  });
});
