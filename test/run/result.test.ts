import { expect, it } from 'vitest';

import { evaluated } from './evaluated.ts';

const rows = [
  { name: 'unit', passed: 6490, failures: ['a', 'b'], skips: [{}], seconds: 201.4, budgetS: 150 },
  { name: 'node24', passed: 3, failures: [], skips: [], seconds: 9, budgetS: null },
];

it('puts the seconds of each step beside its budget, and says loudly which is over', () => {
  expect(evaluated(`table(${JSON.stringify(rows)})`)).toEqual([
    'step    passed  failed  skipped  seconds  budget',
    'unit      6490       2        1      201     150',
    'node24       3       0        0        9       -',
    '!!! OVER BUDGET: unit took 201 s of 150 s',
  ]);
});

it('ends with what failed and the sum, after one line for each reason of a skip', () => {
  const skips = ['a', 'b', 'c'].map((what) => ({ what, reason: 'needs x' })).concat({ what: 'd', reason: 'no camera' });
  const totals = { passed: 7, failures: ['e.test.ts > e'], unsteady: ['f.test.ts > f'], skips };
  expect(evaluated(`closing(${JSON.stringify(totals)})`)).toEqual([
    'skipped: 3 tests: needs x; such as a',
    'skipped: d: no camera',
    'unsteady: f.test.ts > f: failed at first and passed when it was run again; find its race',
    'failed: e.test.ts > e',
    '7 passed, 1 failed, 4 skipped',
  ]);
  expect(evaluated(`closing(${JSON.stringify({ ...totals, skips: [] })})`)).toContain('7 passed, 1 failed');
});

const failing = (names: readonly string[], again: string): string =>
  `{ passed: 1, failures: ${JSON.stringify(names)}, skips: [], again: ${again} }`;
const results = (looks: number): string =>
  `(async () => {
    const results = [${failing(['a', 'b'], "async () => ['a']")}, ${failing(['c'], 'null')}];
    const unsteady = await secondLook(results, ${looks});
    return { unsteady, failures: results.flatMap(({ failures }) => failures) };
  })()`;

it('looks again at as many failures as are allowed in the whole run, and at none where there are more', () => {
  expect(evaluated(results(3))).toEqual({ unsteady: ['a'], failures: ['b', 'c'] });
  for (const looks of [0, 2]) expect(evaluated(results(looks))).toEqual({ unsteady: [], failures: ['a', 'b', 'c'] });
});
