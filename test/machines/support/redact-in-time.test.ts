import { expect, test } from 'vitest';
import { namesToHide } from '#machines/support/known-names.ts';
import { createRedaction } from '#machines/support/redact.ts';

test('the largest log is gone through in time', () => {
  const names = namesToHide(Array.from({ length: 60 }, (_, index) => `Marker name ${index}`));
  const redact = createRedaction(names);
  const line = 'a1:b2-c3.d4_e5 '.repeat(260);
  const started = performance.now();
  for (let index = 0; index < 100; index += 1) redact(line);
  expect(performance.now() - started).toBeLessThan(4000);
});

test('a long run without a space is gone through in time', () => {
  const redact = createRedaction(['Marker']);
  const started = performance.now();
  for (const run of ['x', '#', 'Aa1-', 'a.', 'a_', '1.', '1:'])
    expect(redact(`${run.repeat(40_000)} a@b`)).toContain('[redacted]');
  expect(performance.now() - started).toBeLessThan(4000);
});
