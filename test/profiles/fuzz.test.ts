import { describe, expect, it } from 'vitest';

import { bundledBytes, bundledProfiles } from '#profiles/bundled.ts';
import { driverCatalogue } from '#profiles/catalogue.ts';
import { readProfile } from '#profiles/read.ts';
import { resolveProfile } from '#profiles/resolve.ts';
import { amount } from '#test/fakes/amount.ts';
import { pick, type Random, sequence } from '#test/fakes/sequence.ts';
import type { ProfileShape } from '#profiles/document.ts';

/** How many profiles are mutated. */
const count = amount(100, 1000);
/** Longest that one may take in milliseconds. */
const longestMs = 1000;
const seed = 20_261_121;

const values = [
  '',
  'null',
  '~',
  'true',
  '-1',
  '99999999999999999999',
  '1e400',
  '.nan',
  '.inf',
  '0x7f',
  '[]',
  '{}',
  '[[]]',
  '"\\u0000"',
  '"\\uD800"',
  "''",
  '$(reboot)',
  '/etc/passwd',
  '../../x',
  'https://x.example/a.sh',
  '*a',
  '&a x',
  '!!str x',
  '!x',
  '<<',
  '|',
  '>-',
  '- -',
  '? :',
  '%',
  '@',
  '`',
  '"',
  "'",
  '__proto__',
  'constructor',
  'x'.repeat(20_000),
  '[1,'.repeat(30),
  '{a: '.repeat(30),
];

/** What is done to the lines of a profile. */
const structural: readonly ((lines: string[], random: Random, drivers: readonly string[]) => void)[] = [
  (lines, random) => void lines.splice(random(lines.length), 1 + random(3)),
  (lines, random) => void lines.splice(random(lines.length), 0, pick(random, lines)),
  (lines, random) => {
    const [one, other] = [random(lines.length), random(lines.length)];
    [lines[one], lines[other]] = [lines[other] ?? '', lines[one] ?? ''];
  },
  (lines, random) => {
    const at = random(lines.length);
    lines[at] = `${' '.repeat(random(9))}${(lines[at] ?? '').trimStart()}`;
  },
  (lines, random) => {
    const at = random(lines.length);
    lines[at] = (lines[at] ?? '').replace(/:.*$/, `: ${pick(random, values)}`);
  },
  (lines, random) => {
    const at = random(lines.length);
    lines[at] = (lines[at] ?? '').replace(
      /\w+:/,
      `${pick(random, ['hardware', 'sreen', '__proto__', 'id', 'relays', 'options', '"a b"', '1', 'null'])}:`,
    );
  },
  (lines, random, drivers) => {
    const named = lines.flatMap((line, at) => (line.includes('driver: ') ? [at] : []));
    const at = named[random(Math.max(1, named.length))] ?? 0;
    lines[at] = (lines[at] ?? '').replace(/driver: [\w.-]+/, `driver: ${pick(random, drivers)}`);
  },
  (lines) => {
    // A driver that is used is no longer listed.
    const at = Math.max(
      0,
      lines.findIndex((line) => line.includes('drivers: [')),
    );
    lines[at] = (lines[at] ?? '').replace(/\[[\w.-]+, /, '[');
  },
  (lines, random, drivers) => {
    // The line is drawn first: a seed stands for one document.
    const at = random(lines.length);
    const part = pick(random, ['led', 'relays', 'screen', 'illuminance']);
    const driver = pick(random, drivers);
    const option = pick(random, ['line', 'name', 'device', 'x']);
    lines.splice(at, 0, `  ${part}: { driver: ${driver}, options: { ${option}: ${pick(random, values)} } }`);
  },
  (lines, random) => void lines.push(pick(random, ['---', '...', 'schema: 1', '\t', '# end', '}', '- a'])),
];

function mutateBytes(bytes: Uint8Array, random: Random): Uint8Array {
  const mutated = [...bytes];
  for (let turn = random(6); turn >= 0; turn -= 1) {
    const at = random(mutated.length);
    switch (random(4)) {
      case 0:
        mutated[at] = random(256);
        break;
      case 1:
        mutated.splice(at, 1 + random(20));
        break;
      case 2:
        mutated.splice(at, 0, ...Array.from({ length: 1 + random(8) }, () => random(256)));
        break;
      default:
        mutated.splice(at, 0, ...mutated.slice(at, at + random(200)));
    }
  }
  return new Uint8Array(mutated);
}

function mutateLines(bytes: Uint8Array, random: Random, drivers: readonly string[]): Uint8Array {
  const lines = new TextDecoder().decode(bytes).split('\n');
  for (let turn = random(4); turn >= 0; turn -= 1) pick(random, structural)(lines, random, drivers);
  return new TextEncoder().encode(lines.join('\n'));
}

describe('mutated profiles', () => {
  const originals = bundledProfiles().map(({ document }) => bundledBytes(document.id) ?? new Uint8Array());
  const drivers = driverCatalogue().map(({ id }) => id);

  it('are each taken or refused at a place, and no taken one fails to be made', () => {
    const random = sequence(seed);
    const reasons = new Set<string>();
    let taken = 0;
    for (let turn = 0; turn < count; turn += 1) {
      const original = pick(random, originals);
      const bytes = turn % 2 === 0 ? mutateBytes(original, random) : mutateLines(original, random, drivers);
      const from = performance.now();
      const reading = readProfile(bytes);
      const what = `number ${turn}: ${new TextDecoder().decode(bytes).slice(0, 3000)}`;
      expect(performance.now() - from, what).toBeLessThan(longestMs);
      if (reading.ok) {
        taken += 1;
        // The schema let it through.
        expect(
          resolveProfile(reading.document as unknown as ProfileShape, {
            hash: reading.summary.revision,
            origin: 'local',
          }).id,
          what,
        ).toBe(reading.summary.id);
        continue;
      }
      const [first] = reading.issues.filter(({ severity }) => severity === 'error');
      expect(first, what).toBeDefined();
      for (const issue of reading.issues) {
        expect(issue.message, what).toMatch(/^.{10,1000}$/su);
        expect(issue.line ?? 0, what).toBeGreaterThan(0);
        expect(issue.column ?? 0, what).toBeGreaterThan(0);
        reasons.add(issue.reason);
      }
    }
    // A reader that refuses everything does not pass.
    expect(taken).toBeGreaterThan(amount(0, 20));
    // Of few mutations not every kind of mistake comes up.
    const often = ['yaml', 'not-utf8', 'missing', 'unknown-key', 'duplicate-key', 'missing-driver'];
    const seldom = ['control-character', 'wrong-form'];
    expect([...reasons]).toEqual(expect.arrayContaining(amount(often, [...often, ...seldom])));
  });
});
