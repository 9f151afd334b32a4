import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';

import { makeVectors } from '#test/companion/make-vectors.ts';

const file = new URL('../../companion/vectors.json', import.meta.url);

/** The integration in Home Assistant is tested with the same file; `SCONCE_RECORD=1` writes it. */
it('has the answers that both ends are tested with', () => {
  const made = makeVectors();
  if (process.env['SCONCE_RECORD'] === '1') writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`);
  expect(made).toEqual(JSON.parse(readFileSync(file, 'utf8')));
});
