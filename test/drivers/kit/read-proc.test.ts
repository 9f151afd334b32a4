import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

import { readProc } from '#drivers/kit/read-proc.ts';

const folder = mkdtempSync(join(tmpdir(), 'sconce-proc-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file with that text, and what is read of it. */
function readBack(text: string): Promise<string> {
  const file = join(folder, 'file');
  writeFileSync(file, text);
  return readProc(file);
}

describe('a file of procfs', () => {
  it.each(['', 'one line\n', 'é'.repeat(3000), 'x'.repeat(2048), 'y'.repeat(1_048_576)])(
    'is read whole (example %#)',
    async (text) => expect(await readBack(text)).toBe(text),
  );

  it('may have no length', async () =>
    expect(await readProc('/proc/self/cmdline')).toBe(readFileSync('/proc/self/cmdline', 'utf8')));

  it('is not read beyond a mebibyte', () => expect(readBack('z'.repeat(1_050_625))).rejects.toThrow('1 MiB'));

  it('that is missing has the code of that', () =>
    expect(readProc(join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' }));
});
