import { expect, test } from 'vitest';

import { createProtectedValues, stripCredentials } from '#drivers/log/redaction.ts';

test('a long line is gone through in time', () => {
  const { protect, scrub: without } = createProtectedValues();
  for (const secret of ['secret', '1234', 'ha', '\\\\\\', '    ']) protect(secret);
  const started = performance.now();
  for (const run of ['secret', 'password=', 'password ', '\\', '"', ' ', ': ', '--password ', '-', '1234'])
    without(`${run.repeat(40_000 / run.length)}secret1234ha`);
  expect(performance.now() - started).toBeLessThan(4000);
});

test.each(['a.', 'eyJ-', 'a://', '?token', 'bearer '])('takes time in proportion to a run of %j', (piece) => {
  const line = piece.repeat(100_000);
  const startedAt = performance.now();
  stripCredentials(line);
  // Minutes, if each part of the run is read again from each place.
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});
