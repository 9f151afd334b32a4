import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { capabilities } from '#machines/capabilities.ts';
import { ageing } from '#machines/kit/status.ts';
import { nothingKnown } from '#machines/storage-health/nothing-known.ts';
import { storageView } from '#machines/storage-health/view.ts';
import { StatusDocument, statusReads } from '#machines/status.ts';
import { type Marks, marksOf, saysTheSame, statusMarks } from '#machines/status/compare.ts';
import { fieldGroups } from '#routes/status/field-groups.ts';
import { readStatus } from '#routes/status/read-status.ts';
import { createStatusReader } from '#routes/status/status-reader.ts';
import { factsFrom } from '#test/fakes/facts.ts';
import { statusView } from '#test/fakes/status-view.ts';
import { fakeDeps, settledFacts } from '#test/fakes/route-deps.ts';

/** The sections in which two status documents differ, apart from ages. */
const differingSections = ({ fields }: Marks, before: StatusDocument, after: StatusDocument): readonly string[] =>
  [...fields]
    .filter(([name, own]) => !own.ageing && !saysTheSame(own, Reflect.get(before, name), Reflect.get(after, name)))
    .map(([name]) => name);

const Part = z.object({
  level: z.int(),
  age_ms: z.int().nullable().meta(ageing),
  get parts() {
    return z.array(Part);
  },
});
const marks = marksOf(
  z.object({
    one: Part.nullable(),
    many: z.record(z.string(), Part).optional(),
  }),
);
const own = statusMarks();
const part = (level: number, age: number | null, parts: readonly unknown[] = []) => ({ level, age_ms: age, parts });

describe('what says the same', () => {
  it.each<[string, unknown, unknown, boolean]>([
    ['an age that went on', { one: part(1, 5) }, { one: part(1, 9) }, true],
    ['an age that began anew', { one: part(1, 9) }, { one: part(1, 0) }, true],
    ['an age that is known for the first time', { one: part(1, null) }, { one: part(1, 0) }, false],
    ['an age that was unmeasured', { one: part(1, -1) }, { one: part(1, 0) }, false],
    ['another value beside an age', { one: part(1, 5) }, { one: part(2, 5) }, false],
    ['a part that went away', { one: part(1, 5) }, { one: null }, false],
    ['a part that came', { one: null }, { one: part(1, 5) }, false],
    ['an age in a part of a part', { one: part(1, 5, [part(1, 5)]) }, { one: part(1, 6, [part(1, 6)]) }, true],
    ['a value in a part of a part', { one: part(1, 5, [part(1, 5)]) }, { one: part(1, 5, [part(2, 5)]) }, false],
    ['one part less', { one: part(1, 5, [part(1, 5)]) }, { one: part(1, 5) }, false],
    ['an age in a record', { one: null, many: { a: part(1, 5) } }, { one: null, many: { a: part(1, 7) } }, true],
    ['another name in a record', { one: null, many: { a: part(1, 5) } }, { one: null, many: { b: part(1, 5) } }, false],
    ['a list and an object', { one: [] }, { one: {} }, false],
  ])('%s', (_, a, b, same) => {
    expect(saysTheSame(marks, a, b)).toBe(same);
  });
});

/** Facts of a panel on which everything that can count on by itself does so. */
function ageingFacts() {
  const facts = settledFacts();
  return { ...facts, renderer: Object.assign({}, facts['renderer'], { at: 1_600_000_000_000 }) };
}
const minuteMs = 60_000;

describe('the status document', () => {
  const first = fakeDeps({}, ageingFacts());

  it.each([1, 60, 26 * 60])('of a panel on which nothing happens says the same after %i minutes', (minutes) => {
    const later = createStatusReader({ ...first, now: () => first.now() + minutes * minuteMs });
    const [before, after] = [readStatus(first), later.document()];
    expect(after.renderer?.observed_age_ms).toBe((before.renderer?.observed_age_ms ?? 0) + minutes * minuteMs);
    expect(differingSections(own, before, after)).toEqual([]);
  });

  it('says the same when the disk was looked at again and found as before', () => {
    const looked = (at: number) => {
      const health = { ...storageView(nothingKnown), checked_at: at, quick_checked_at: at };
      return readStatus(fakeDeps({}, { ...settledFacts(), 'storage-health': { health } }));
    };
    expect(differingSections(own, looked(5), looked(9))).toEqual([]);
  });

  it('has no field that is named like an age and not marked as one', () => {
    const found: string[] = [];
    JSON.stringify(z.toJSONSchema(StatusDocument()), (key, value: unknown) => {
      if (/(^|_)(age|uptime|elapsed|remaining)(_|$)|^taken_at$|checked_at$/.test(key) && typeof value === 'object')
        found.push(`${key}: ${JSON.stringify(value).includes('"x-ageing":true')}`);
      return value;
    });
    expect(found.length).toBeGreaterThan(7);
    expect(found.filter((line) => line.endsWith('false'))).toEqual([]);
  });

  it('differs in the sections that differ, and in none for its own time', () => {
    const facts = settledFacts();
    const { renderer: _renderer, ...others } = facts;
    const quieter = { ...others, volume: Object.assign({}, facts['volume'], { percent: 41 }) };
    const [before, after] = [facts, quieter].map((all) => readStatus(fakeDeps({}, all)));
    if (before === undefined || after === undefined) throw new Error('no documents');
    expect(differingSections(own, before, after)).toEqual(expect.arrayContaining(['volume', 'renderer']));
    expect(differingSections(own, before, after)).not.toContain('taken_at');
    expect(differingSections(own, before, { ...before, taken_at: before.taken_at + 1 })).toEqual([]);
  });

  it('always has every section, so that one which went away is null', () => {
    expect(Object.values(StatusDocument().shape).filter((field) => field.safeParse(undefined).success)).toEqual([]);
    expect(statusView(factsFrom({})).renderer).toBeNull();
  });

  it('is made from no actor that the live stream does not watch for it', () => {
    // Capabilities are watched by what is judged of them.
    const groups = fieldGroups({ rootShell: false, inspecting: false }).slice(capabilities.length);
    const reads = new Set(groups.flatMap((group) => group.reads));
    expect(reads.size).toBeGreaterThan(15);
    expect([...reads].filter((id) => !statusReads.has(id))).toEqual([]);
  });
});
