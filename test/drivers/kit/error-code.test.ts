import { readFile } from 'node:fs/promises';

import { describe, expect, it } from 'vitest';

import { errorCode } from '#drivers/kit/error-code.ts';

const coded = (code: unknown, cause?: unknown): Error => Object.assign(new Error('failed', { cause }), { code });

describe('errorCode', () => {
  it('names what the system says of a file that is not there', async () => {
    const error: unknown = await readFile('/does/not/exist').catch((reason: unknown) => reason);
    expect(errorCode(error)).toBe('ENOENT');
  });

  it.each([
    ['an error with a code', coded('EACCES'), 'EACCES'],
    ['a thrown object with a code', { code: 'ECONNRESET' }, 'ECONNRESET'],
    ['an error without one', new Error('failed'), 'unknown'],
    ['a number', coded(135), 'unknown'],
    ['an empty code', coded(''), 'unknown'],
    ['its own code before that of its cause', coded('EIO', coded('ENOSPC')), 'EIO'],
    ['the code of the cause', new Error('failed', { cause: coded('ENOSPC') }), 'ENOSPC'],
    ['the code of a cause of the cause', new Error('a', { cause: new Error('b', { cause: coded('EIO') }) }), 'EIO'],
    ['a text', 'ENOENT', 'unknown'],
    ['null', null, 'unknown'],
    ['undefined', undefined, 'unknown'],
  ])('of %s', (_, error, code) => {
    expect(errorCode(error)).toBe(code);
  });

  it('ends at an error that causes itself', () => {
    const error = new Error('round');
    error.cause = error;
    expect(errorCode(error)).toBe('unknown');
  });
});
