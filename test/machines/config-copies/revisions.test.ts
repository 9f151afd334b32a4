import { describe, expect, it } from 'vitest';

import {
  differingKeys,
  emptyBook,
  JOIN_MS,
  listedRevisions,
  MOST_REVISIONS,
  readBook,
  type RevisionBook,
  revisionValues,
  type RevisionValues,
  withRevision,
} from '#machines/config-copies/revisions.ts';
import { planRevision } from '#machines/config-copies/plan-revision.ts';
import { descriptors, secretSettings } from '#machines/settings.ts';
import { consentKeys } from '#machines/settings/consents.ts';
import { type Configuration, defaultConfiguration, mergeSettings } from '#machines/settings/merge.ts';
import { SETTINGS_SCHEMA } from '#machines/settings/schema.ts';
import { amount } from '#test/fakes/amount.ts';
import { otherConfiguration } from '#test/fakes/other-values.ts';
import { pick, type Random, sequence } from '#test/fakes/sequence.ts';

const started = (values: RevisionValues = {}): RevisionBook =>
  withRevision(emptyBook, values, { at: 0, isStart: true });

/** The book after changes, each with its moment. */
const after = (book: RevisionBook, ...changes: readonly (readonly [number, RevisionValues])[]): RevisionBook =>
  changes.reduce((now, [at, values]) => withRevision(now, values, { at, isStart: false }), book);

const shown = (book: RevisionBook) => listedRevisions(book).map(({ id, savedAt, changed }) => [id, savedAt, changed]);

describe('a revision', () => {
  it('is what was in force at the start, and each change', () => {
    const book = after(started({ dashboard_zoom: 90 }), [20_000, { dashboard_zoom: 110 }], [40_000, {}]);
    expect(shown(book)).toEqual([
      [3, 40_000, ['dashboard_zoom']],
      [2, 20_000, ['dashboard_zoom']],
      [1, 0, []],
    ]);
    expect(listedRevisions(book).map(({ keys }) => keys)).toEqual([0, 1, 1]);
  });

  it('joins the changes that follow within ten seconds, and not those at the start', () => {
    const book = after(
      started(),
      [100, { dashboard_zoom: 110 }],
      [100 + JOIN_MS - 1, { dashboard_zoom: 110, dark: true }],
      [100 + JOIN_MS, { dashboard_zoom: 120, dark: true }],
    );
    expect(shown(book)).toEqual([
      [3, 100 + JOIN_MS, ['dashboard_zoom']],
      [2, 100 + JOIN_MS - 1, ['dashboard_zoom', 'dark']],
      [1, 0, []],
    ]);
  });

  it('goes if its change is taken back at once, and its number is not used again', () => {
    const book = after(started(), [100, { dark: true }], [200, {}], [300, { dark: true }]);
    expect(shown(book)).toEqual([
      [3, 300, ['dark']],
      [1, 0, []],
    ]);
  });

  it('does not join one from before the clock was set back', () => {
    expect(shown(after(started(), [50_000, { dark: true }], [10, { dark: false }]))).toHaveLength(3);
  });

  it('is made at a start only if something else is in force', () => {
    const book = after(started(), [100, { dark: true }]);
    expect(withRevision(book, { dark: true }, { at: 200, isStart: true })).toBe(book);
    expect(shown(withRevision(book, { dark: false }, { at: 200, isStart: true }))).toHaveLength(3);
  });

  it('has what differs from the defaults, and no credential', () => {
    const values = revisionValues(otherConfiguration());
    expect(revisionValues(defaultConfiguration)).toEqual({});
    expect(Object.keys(values)).toContain('ha_expose_screen');
    expect(Object.keys(values).length).toBeGreaterThan(40);
    expect(Object.keys(values).filter((key) => secretSettings.some((row) => row.key === key))).toEqual([]);
    expect(JSON.stringify(values)).not.toContain('marker-');
  });
});

describe('fifty revisions', () => {
  const changes = (count: number, values: (index: number) => RevisionValues) =>
    Array.from({ length: count }, (_, index) => [(index + 1) * 60_000, values(index)] as const);

  it('are the newest of changes to different settings', () => {
    const book = after(started(), ...changes(80, (index) => ({ [`key_${index}`]: index })));
    expect(book.revisions).toHaveLength(MOST_REVISIONS);
    expect([book.revisions[0]?.id, book.revisions.at(-1)?.id]).toEqual([32, 81]);
  });

  it('keep what a person did while an automation switches something again and again', () => {
    const person = after(started(), [1000, { name: 'Hall' }], [60_000, { name: 'Hall', zoom: 110 }]);
    const book = after(
      person,
      ...changes(500, (index) => ({ name: 'Hall', zoom: 110, auto_sleep: index % 2 === 0 })).map(
        ([at, values]) => [at + 100_000, values] as const,
      ),
    );
    expect(book.revisions).toHaveLength(MOST_REVISIONS);
    expect(shown(book).slice(-3)).toEqual([
      [3, 60_000, ['zoom']],
      [2, 1000, ['name']],
      [1, 0, []],
    ]);
    expect(book.revisions.at(-1)?.savedAt).toBe(500 * 60_000 + 100_000);
  });
});

const keys = ['name', 'zoom', 'auto_sleep', 'ha_expose_screen'];
const someValues = (random: Random): RevisionValues =>
  Object.fromEntries(keys.filter(() => random(3) > 0).map((key) => [key, random(3)]));

describe('whatever is changed and when', () => {
  it.each(Array.from({ length: amount(20, 200) }, (_, seed) => seed))('seed %i', (seed) => {
    const random = sequence(seed);
    let book: RevisionBook = emptyBook;
    let at = 0;
    for (let step = 0; step < 120; step += 1) {
      at += pick(random, [10, 3000, 9999, 10_000, 60_000, -5000]);
      const values = someValues(random);
      const isStart = book === emptyBook || random(20) === 0;
      const before = book;
      // A kill loses what was not written, not what is in force.
      if (isStart && random(2) === 0) book = readBook(JSON.parse(JSON.stringify(book)));
      book = withRevision(book, values, { at, isStart });
      const { revisions } = book;
      expect(revisions.at(-1)?.values).toEqual(values);
      expect(revisions.length).toBeLessThanOrEqual(MOST_REVISIONS);
      expect(revisions.map(({ id }) => id)).toEqual(revisions.map(({ id }) => id).toSorted((a, b) => a - b));
      expect(new Set(revisions.map(({ id }) => id)).size).toBe(revisions.length);
      expect(book.nextId).toBeGreaterThan(revisions.at(-1)?.id ?? 0);
      expect(book.nextId).toBeGreaterThanOrEqual(before.nextId);
      const pairs = revisions.slice(1).map((one, index) => differingKeys(revisions[index]?.values ?? {}, one.values));
      expect(pairs.filter((changed) => changed.length === 0)).toEqual([]);
      expect(readBook(JSON.parse(JSON.stringify(book)))).toEqual({ ...book, openSince: null });
    }
  });
});

describe('a stored record', () => {
  const one = { id: 1, savedAt: 5, schema: SETTINGS_SCHEMA, values: { dashboard_zoom: 90 } };

  it.each([null, [], {}, { version: 2, nextId: 1, revisions: [] }, { version: 1, nextId: 0, revisions: [] }])(
    'that is none is refused: %j',
    (json) => expect(() => readBook(json)).toThrow(),
  );

  it('loses only what is damaged', () => {
    const damaged = [{ ...one, id: 0 }, { ...one, id: 2, values: { dashboard_zoom: {} } }, 'x', { ...one, id: 3 }];
    const book = readBook({ version: 1, nextId: 1, revisions: [one, ...damaged, { ...one, id: 3, savedAt: 9 }] });
    expect([book.revisions.map(({ id }) => id), book.nextId]).toEqual([[1, 3], 4]);
  });

  it('keeps what a newer version saved, for that version', () => {
    const newer = { ...one, id: 2, schema: SETTINGS_SCHEMA + 1 };
    const book = readBook({ version: 1, nextId: 3, revisions: [one, newer] });
    expect(book.revisions).toEqual([one, newer]);
    expect(withRevision(book, newer.values, { at: 9, isStart: true }).revisions).toHaveLength(3);
  });
});

/** The configuration that a restore leads to. */
function restored(current: Configuration, values: RevisionValues): Configuration['values'] {
  const { patch } = planRevision(current, { values });
  const merge = mergeSettings(current, patch);
  if (merge.status === 'refused') throw new Error(JSON.stringify(merge.reasons));
  const changes = merge.status === 'saved' ? merge.changes.values : {};
  return Object.fromEntries(
    Object.entries({ ...current.values, ...changes }).map(([key, to]) => [
      key,
      to ?? defaultConfiguration.values[key] ?? '',
    ]),
  );
}

describe('the restore of a revision', () => {
  const full = otherConfiguration();

  it('returns to all its values, and to the defaults of what it lacks', () => {
    const unagreed = { ...full.values, ...Object.fromEntries(consentKeys.map((key) => [key, false])) };
    // What is of one installation alone stays as it is there.
    const entity_surface = { entity_surface: 'mqtt' };
    expect(restored(defaultConfiguration, revisionValues(full))).toEqual({ ...unagreed, ...entity_surface });
    expect(restored(full, revisionValues(defaultConfiguration))).toEqual({
      ...defaultConfiguration.values,
      entity_surface: 'native',
    });
    expect(restored(full, { ...revisionValues(full), dashboard_zoom: 77 })).toEqual({
      ...full.values,
      dashboard_zoom: 77,
    });
  });

  it.each(consentKeys)('never turns on %s, and says why', (key) => {
    const { patch, skipped } = planRevision(defaultConfiguration, { values: { [key]: true } });
    expect([Object.hasOwn(patch, key), skipped]).toMatchObject([false, [{ key, reason: 'consent' }]]);
  });

  it('has only what changes in its patch', () => {
    expect(planRevision(full, { values: revisionValues(full) })).toEqual({ patch: {}, skipped: [] });
    expect(planRevision(full, { values: { ...revisionValues(full), dashboard_zoom: 77 } }).patch).toEqual({
      dashboard_zoom: 77,
    });
  });

  it('keeps a credential only while its recipient stays', () => {
    const same = mergeSettings(full, planRevision(full, { values: { ha_url: full.values['ha_url'] ?? '' } }).patch);
    expect(same).toMatchObject({ status: 'saved', orphaned: ['mqtt_password'] });
    const other = mergeSettings(full, planRevision(full, { values: {} }).patch);
    expect(other).toMatchObject({ status: 'saved', orphaned: ['ha_token', 'ha_oauth', 'mqtt_password'] });
  });

  it('leaves out what is not valid or not known any more, and what is no setting', () => {
    const values = { dashboard_zoom: 7000, lava_lamp: true, ha_token: 'x', proximity: true, friendly_name: 'Hall' };
    const { patch, skipped } = planRevision(defaultConfiguration, { values });
    expect(patch).toEqual({ friendly_name: 'Hall' });
    expect(skipped.map(({ key, reason }) => [key, reason])).toEqual([
      ['dashboard_zoom', 'invalid'],
      ['lava_lamp', 'unknown'],
      ['ha_token', 'unknown'],
      ['proximity', 'unknown'],
    ]);
  });

  it('touches no reading and no credential', () => {
    const untouched = descriptors.filter(({ readOnly, secret }) => readOnly || secret).map(({ key }) => key);
    const { patch } = planRevision(full, { values: {} });
    expect(untouched.length).toBeGreaterThan(10);
    expect(untouched.filter((key) => Object.hasOwn(patch, key))).toEqual([]);
  });
});
