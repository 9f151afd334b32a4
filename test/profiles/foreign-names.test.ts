import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { preferredId } from '#profiles/choose.ts';
import { driverById } from '#profiles/drivers/all.ts';
import { readProfile, readSavedProfile } from '#profiles/read.ts';
import { keysAt, purposeOf } from '#profiles/schema/look-up.ts';
import { templateYaml } from '#profiles/template.ts';
import { foreignNames, titleOf, watchPrototypes } from '#test/fakes/foreign-names.ts';

let isKept: () => void;
beforeEach(() => {
  isKept = watchPrototypes();
});
afterEach(() => isKept());

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
/** Where the template has a map, a list or a text, and what stands there with a name in place of a part of it. */
const places: readonly (readonly [string, string, (name: string) => string])[] = [
  ['a key of the document', 'schema: 1', (name) => `schema: 1\n${name}: 1`],
  ['a key with a map', 'schema: 1', (name) => `schema: 1\n${name}: { a: { b: 1 } }`],
  ['a key in a map', 'os: linux', (name) => `os: linux\n  ${name}: x`],
  ['a key in a list', 'op: starts_with', (name) => `op: starts_with, ${name}: x`],
  ['a slot', 'hardware:', (name) => `hardware:\n  ${name}: { driver: screen.auto }`],
  ['an option', '{ driver: screen.auto }', (name) => `{ driver: screen.auto, options: { ${name}: 1 } }`],
  ['a driver', 'driver: screen.auto', (name) => `driver: ${name}`],
  ['a listed driver', 'drivers: [', (name) => `drivers: [${name}, `],
  ['a fact', 'field: devicetree_model', (name) => `field: ${name}`],
  [
    'a key of a button',
    '{ driver: input.evdev }',
    (name) => `{ driver: input.evdev, options: { buttons: [{ name: a, device: b, code: ${name} }] } }`,
  ],
];

describe.each(foreignNames.map((name) => [titleOf(name), name]))('the name %s in a profile', (_, name) => {
  it.each(places)('is refused as %s, with a place', (_place, from, put) => {
    const text = templateYaml();
    expect(text).toContain(from);
    const changed = text.replace(from, () => put(JSON.stringify(name)));
    for (const read of [readProfile, readSavedProfile]) {
      const reading = read(bytes(changed));
      const issues = reading.ok ? [] : reading.issues;
      expect(issues.length).toBeGreaterThan(0);
      for (const { message, line } of issues) {
        expect(message).not.toContain('[native code]');
        expect(line).toBeGreaterThan(0);
      }
    }
  });

  it('is the id of a profile where it has the form of one', () => {
    const reading = readProfile(bytes(templateYaml().replace('id: my-panel', () => `id: ${JSON.stringify(name)}`)));
    expect(reading.ok).toBe(/^[a-z]+$/.test(name) && name.length < 128);
    expect(reading.ok && reading.summary.id).toBe(reading.ok && name);
  });

  it('is no driver, no place of the schema and no short name', () => {
    expect(driverById(name)).toBeNull();
    expect(keysAt([name], {})).toEqual([]);
    expect(purposeOf([name, name], {})).toBeNull();
    expect(preferredId(name)).toBe(name);
  });
});
