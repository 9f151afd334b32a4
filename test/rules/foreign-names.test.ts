import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { foreignNames } from './foreign-names.ts';
import { sourceFiles } from './read-edges.ts';
import { markedFaults } from './syntax.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** What is computed there and is no stranger's name. */
const safe: ReadonlyMap<string, string> = new Map([
  ['actors/kit/inspector.ts', 'the place in a ring'],
  ['drivers/camera/rtsp/packetise.ts', 'the place in a buffer'],
  ['drivers/http/light-fetch.ts', 'the symbol of what can be walked'],
  ['drivers/renderer/png-corner.ts', 'the place in an array of numbers'],
  ['drivers/screen/find-display.ts', 'the name of a route, of a closed type'],
  ['machines/auto-brightness/evidence.ts', 'the place in an array of numbers'],
  ['machines/auto-brightness/order.ts', 'the place in an array of numbers'],
  ['machines/auto-brightness/range.ts', 'the place in an array of numbers'],
  ['machines/auto-sleep/learned.ts', 'the place in an array of numbers'],
  ['machines/auto-sleep/replay.ts', 'the place in an array of sources'],
  ['machines/settings/merge.ts', 'the key of a descriptor, which a Map gave'],
  ['machines/settings/stored.ts', 'the key of a descriptor, which a Map gave'],
]);

describe('no plain object is keyed by a name from outside', () => {
  it('in rooms that see such names', () => {
    const files = sourceFiles(root, ['drivers', 'machines', 'actors', 'routes', 'profiles']);
    const found = files.flatMap((file) => foreignNames(file, read(file)).map((fault) => ({ file, fault })));
    expect(found.filter(({ file }) => !safe.has(file))).toEqual([]);
    // One that is no exception any more is taken off the list.
    expect([...new Set(found.map(({ file }) => file))].toSorted()).toEqual([...safe.keys()]);
  });

  const fixtures = 'test/rules/bad/foreign-names';
  for (const file of sourceFiles(root, [fixtures], [`${fixtures}/good/`])) {
    it(`refuses ${file}`, () => {
      const expected = markedFaults(read(file));
      expect(expected).not.toEqual([]);
      expect(foreignNames(file, read(file))).toEqual(expected);
    });
  }

  for (const file of sourceFiles(root, [`${fixtures}/good`])) {
    it(`leaves ${file}`, () => expect(foreignNames(file, read(file))).toEqual([]));
  }
});
