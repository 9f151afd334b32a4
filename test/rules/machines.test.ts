import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { auditMachine, isMachine } from './audit-machine.ts';
import { badCharts, goodChart } from './bad/machines/charts.ts';
import { sourceFiles, withoutComments } from './read-edges.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const files = sourceFiles(root, ['machines']).filter((file) => file.endsWith('/machine.ts'));

describe('the machine audit', () => {
  it('finds machines', () => expect(files.length).toBeGreaterThan(0));

  for (const file of files) {
    it(file, async () => {
      const exported: unknown = await import(/* @vite-ignore */ join(root, file));
      const machines = Object.values(exported as Record<string, unknown>).filter(isMachine);
      expect(machines.length, 'a machine.ts exports a machine').toBeGreaterThan(0);
      expect(machines.flatMap(auditMachine)).toEqual([]);
    });
  }

  for (const [fault, chart] of Object.entries(badCharts)) {
    it(`refuses: ${fault}`, () => {
      const words = auditMachine(chart).join('; ');
      const said = fault.replace(/ (?:inline|deep|in (?:words|a \w+)|inside|under another id|at the root)$/, '');
      for (const word of said.split(' ')) expect(words).toContain(word);
    });
  }

  it('accepts a good machine', () => expect(auditMachine(goodChart)).toEqual([]));
});

describe('the publishers', () => {
  it('name no entity', async () => {
    const { entityRows } = await import('#machines/entities.ts');
    const publishers = [
      ...sourceFiles(root, [
        'machines/publisher',
        'machines/entities',
        'machines/mqtt',
        'drivers/mqtt',
        'actors/publisher',
        'actors/entities',
      ]),
      'actors/publisher.ts',
      'actors/mqtt.ts',
    ]
      // Home Assistant's own device classes share words with entities that are named after one.
      .filter((file) => !file.endsWith('/events.ts') && file !== 'machines/entities/classes.ts');
    expect(entityRows.length).toBeGreaterThan(10);
    expect(publishers.length).toBeGreaterThan(3);
    // A key that is the name of a kind of entity as well is found wherever that kind is named.
    const kinds: readonly string[] = entityRows.map((row) => row.entityKind);
    const rows = entityRows.filter(({ key }) => !kinds.includes(key));
    const named = publishers.flatMap((file) => {
      const text = withoutComments(readFileSync(join(root, file), 'utf8'));
      return rows.filter(({ key }) => new RegExp(`['"\`]${key}['"\`]`).test(text)).map(({ key }) => `${file}: ${key}`);
    });
    expect(named).toEqual([]);
  });
});
