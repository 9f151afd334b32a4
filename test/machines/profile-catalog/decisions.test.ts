import { describe, expect, it } from 'vitest';

import {
  activationRecord,
  type ActivationRecord,
  afterAttempt,
  afterDeletion,
  afterHealth,
  afterSelection,
  afterSetback,
  firstRecord,
  type ProfileRef,
  rollbackOf,
} from '#machines/profile-catalog/activation.ts';
import {
  admitDeletion,
  admitImport,
  admitPlatform,
  admitRollback,
  admitSelection,
  isOtherPlatform,
  mostBytesInAll,
  mostRevisions,
  mostRevisionsOfId,
  type CatalogStatus,
} from '#machines/profile-catalog/admit.ts';
import { decideBoot, decideUnwritten, type RecordFound, type Usability } from '#machines/profile-catalog/boot.ts';
import { judgeHealth, type HealthFacts } from '#machines/profile-catalog/health.ts';

const ref = (id: string, digit = 'a'): ProfileRef => ({ id, revision: digit.repeat(64) });
const [one, two] = [ref('one'), ref('two', 'b')];
const pinned = (of: ProfileRef) => ({ mode: 'pinned' as const, ...of });
const auto = { mode: 'auto' as const };

/** `one` is in force and proved, `two` was selected. */
const settled: ActivationRecord = {
  ...firstRecord,
  generation: 5,
  selection: pinned(one),
  proven: one,
  screenProven: true,
};
const selected = afterSelection(settled, pinned(two), 100);
const tried = afterAttempt(selected);

describe('the record', () => {
  it('is its own schema at every step', () => {
    for (const record of [
      firstRecord,
      settled,
      selected,
      tried,
      afterHealth(tried, two, true, 200),
      afterSetback(tried, 'http-silent', 200),
    ])
      expect(activationRecord().parse(record)).toEqual(record);
  });
  it('falls back to what was in force, however many selections follow each other untried', () => {
    const again = afterSelection(selected, auto, 110);
    expect(again.trial).toEqual({ attempts: 0, since: 110, fallback: pinned(one) });
    expect(rollbackOf(again)).toEqual(pinned(one));
  });
  it('counts every change', () =>
    expect([
      selected.generation,
      afterHealth(tried, two, true, 1).generation,
      afterSetback(tried, 'base-down', 1).generation,
      afterDeletion(settled, two).generation,
    ]).toEqual([6, 7, 7, 6]));
  it('keeps a proved selection, and what a rollback brings back', () => {
    const kept = afterHealth(tried, two, true, 200);
    expect(kept).toMatchObject({ selection: pinned(two), proven: two, earlier: pinned(one), trial: null, since: 200 });
    expect(afterHealth(kept, two, true, 300)).toBe(kept);
  });
  it('is not proved by a start that still runs the former one', () =>
    expect(afterHealth(selected, one, true, 200)).toBe(selected));
  it('takes a failed one back and says why', () =>
    expect(afterSetback(tried, 'screen-not-proven', 200)).toMatchObject({
      selection: pinned(one),
      proven: one,
      trial: null,
      setback: { at: 200, reason: 'screen-not-proven', selection: pinned(two) },
    }));
  it('forgets a setback with the next selection', () =>
    expect(afterSelection(afterSetback(tried, 'base-down', 1), auto, 2).setback).toBeNull());
  it('goes back to nothing that was deleted', () =>
    expect(afterDeletion({ ...settled, earlier: pinned(two) }, two).earlier).toBeNull());
});

describe('a start', () => {
  const read = (record: ActivationRecord): RecordFound => ({ state: 'read', record });
  const all = (): Usability => 'usable';
  const only =
    (...usable: ProfileRef[]) =>
    (of: ProfileRef): Usability =>
      usable.some(({ id }) => id === of.id) ? 'usable' : 'damaged';
  it.each<[string, RecordFound, (of: ProfileRef) => Usability, object]>([
    ['without a record', { state: 'absent' }, all, { use: null, trial: false, record: null, issues: [] }],
    [
      'with a damaged record',
      { state: 'damaged' },
      all,
      { use: null, trial: false, record: null, issues: ['record-damaged'] },
    ],
    ['of what matches', read(firstRecord), all, { use: null, trial: false, record: null, issues: [] }],
    ['of a proved revision', read(settled), all, { use: one, trial: false, record: null, issues: [] }],
    [
      'of a proved revision whose file is damaged',
      read(settled),
      only(two),
      { use: null, trial: false, record: null, issues: ['revision-damaged'] },
    ],
    ['of a selected one, counted first', read(selected), all, { use: two, trial: true, record: tried, issues: [] }],
    ['of a selected match', read(afterSelection(settled, auto, 100)), all, { use: null, trial: true, issues: [] }],
    [
      'of one that was counted before',
      read(tried),
      all,
      { use: one, trial: false, record: afterSetback(tried, 'ended-before-health', 900), issues: [] },
    ],
    [
      'of a selected one that is damaged',
      read(selected),
      only(one),
      { use: one, trial: false, record: afterSetback(selected, 'revision-damaged', 900), issues: [] },
    ],
    [
      'of one that was counted, and nothing before it is usable',
      read(tried),
      only(),
      { use: null, trial: false, issues: ['revision-damaged'] },
    ],
  ])('%s', (_, found, usable, decision) => expect(decideBoot(found, usable, 900)).toMatchObject(decision));

  it('tries nothing that could not be counted', () => {
    const found = read(selected);
    expect(decideUnwritten(found, decideBoot(found, all, 900), all)).toEqual({
      use: one,
      trial: false,
      record: null,
      issues: ['record-not-written'],
    });
    expect(decideUnwritten(read(tried), decideBoot(read(tried), all, 900), all)).toMatchObject({
      use: one,
      trial: false,
      record: null,
      issues: ['record-not-written'],
    });
  });
});

describe('the health point', () => {
  const well: HealthFacts = { http: true, base: true, screen: 'proven' };
  it.each<[HealthFacts, boolean, string | null]>([
    [well, true, null],
    [{ ...well, screen: 'absent' }, true, null],
    [{ ...well, screen: 'unproven' }, false, null],
    [{ ...well, screen: 'unproven' }, true, 'screen-not-proven'],
    [{ ...well, screen: 'unsettled' }, false, 'screen-not-settled'],
    [{ ...well, http: false }, false, 'http-silent'],
    [{ ...well, base: false }, false, 'base-down'],
  ])('%j, a screen before: %s', (facts, before, obstacle) => expect(judgeHealth(facts, before)).toBe(obstacle));
});

describe('a change', () => {
  const status: CatalogStatus = {
    record: settled,
    active: one,
    local: [
      { ...one, bytes: 10 },
      { ...two, bytes: 10 },
    ],
    bundled: [ref('simulated', 'c')],
    commandLine: false,
  };
  const many = (count: number, id: (n: number) => string, bytes = 1) =>
    Array.from({ length: count }, (_, n) => ({ id: id(n), revision: n.toString(16).padStart(64, '0'), bytes }));
  it.each<[string, { readonly ok: boolean; readonly reason?: string }, string | null]>([
    ['selects', admitSelection(status, pinned(two), 5), null],
    ['selects a bundled one', admitSelection(status, pinned(ref('simulated', 'c')), 5), null],
    ['selects what matches', admitSelection(status, auto, 5), null],
    ['with a stale number', admitSelection(status, pinned(two), 4), 'catalog-stale'],
    ['selects what is not there', admitSelection(status, pinned(ref('three')), 5), 'profile-unknown'],
    ['selects what is in use', admitSelection(status, pinned(one), 5), 'profile-active-already'],
    [
      'selects while the command line rules',
      admitSelection({ ...status, commandLine: true }, pinned(two), 5),
      'profile-on-command-line',
    ],
    [
      'selects what is in use after a setback',
      admitSelection({ ...status, record: afterSetback(tried, 'base-down', 1) }, pinned(one), 7),
      null,
    ],
    ['rolls back to nothing', admitRollback(status, 5), 'nothing-to-roll-back'],
    ['rolls a trial back', admitRollback({ ...status, record: tried }, 6), null],
    [
      'rolls back to what is gone',
      admitRollback({ ...status, record: { ...settled, earlier: pinned(ref('gone')) } }, 5),
      'nothing-to-roll-back',
    ],
    ['deletes', admitDeletion(status, two, 5), null],
    ['deletes what is active', admitDeletion(status, one, 5), 'profile-in-use'],
    ['deletes what is pending', admitDeletion({ ...status, record: selected }, two, 6), 'profile-in-use'],
    [
      'deletes what it would fall back to',
      admitDeletion({ ...status, record: { ...settled, earlier: pinned(two) } }, two, 5),
      'profile-in-use',
    ],
    ['deletes what is bundled', admitDeletion(status, ref('simulated', 'c'), 5), 'profile-bundled'],
    ['deletes with a stale number', admitDeletion(status, two, 6), 'catalog-stale'],
    ['imports', admitImport(status, { ...ref('three'), bytes: 1 }), null],
    ['imports the same again', admitImport(status, { ...two, bytes: 10 }), null],
    ['imports what is bundled', admitImport(status, { ...ref('simulated', 'c'), bytes: 10 }), null],
    [
      'imports one revision too many',
      admitImport({ ...status, local: many(mostRevisions, (n) => `p${n}`) }, { ...ref('three'), bytes: 1 }),
      'profile-limit',
    ],
    [
      'imports one of an id too many',
      admitImport({ ...status, local: many(mostRevisionsOfId, () => 'three') }, { ...ref('three'), bytes: 1 }),
      'profile-limit',
    ],
    [
      'imports a byte too many',
      admitImport({ ...status, local: many(2, (n) => `p${n}`, mostBytesInAll / 2) }, { ...ref('three'), bytes: 1 }),
      'profile-limit',
    ],
    [
      'imports under a name of the catalogue',
      admitImport(status, { ...ref('activation.json'), bytes: 1 }),
      'profile-limit',
    ],
  ])('%s', (_, outcome, reason) => expect(outcome.ok ? null : outcome.reason).toBe(reason));

  it.each([
    ['a saved revision', two, 'saved-before'],
    ['a bundled revision', ref('simulated', 'c'), 'saved-before'],
    ['other bytes under the id of a bundled one', ref('simulated', 'd'), 'new'],
  ])('knows %s when it is imported', (_, of, outcome) =>
    expect(admitImport(status, { ...of, bytes: 10 })).toMatchObject({ ok: true, value: outcome }),
  );
});

describe('a profile for another platform', () => {
  it.each([
    ['linux', 'linux', false, false],
    ['linux', 'simulated', false, false],
    ['linux', 'android', false, true],
    ['linux', 'android', true, false],
    ['android', 'linux', false, true],
    ['android', 'linux', true, false],
    ['android', 'simulated', false, true],
    ['simulated', 'linux', false, true],
    ['simulated', 'android', false, true],
    ['simulated', 'simulated', false, false],
    ['android', 'android', false, false],
  ] as const)(
    '%s on a panel of %s, matched by its rules: %s, needs a confirmation: %s',
    (of, running, matches, needs) => {
      expect(isOtherPlatform({ of, running, matches })).toBe(needs);
      const asked = { of, running, matches, confirmed: false };
      expect(admitPlatform(asked)).toMatchObject(
        needs ? { ok: false, reason: 'platform-not-confirmed' } : { ok: true },
      );
      expect(admitPlatform({ ...asked, confirmed: true })).toMatchObject({ ok: true });
    },
  );
});
