import { expect, it } from 'vitest';

import { parseCommand } from '#bin/arguments.ts';

it('looks for updates only where doctor is told to', () => {
  expect(parseCommand(['doctor'])).toMatchObject({ ok: true, value: { options: { updates: false } } });
  expect(parseCommand(['doctor', '--updates'])).toMatchObject({ ok: true, value: { options: { updates: true } } });
  expect(parseCommand(['run', '--updates'])).toMatchObject({
    ok: false,
    message: 'run has no option --updates.',
  });
});
