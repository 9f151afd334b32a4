import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { revisionsFile } from '#drivers/config-copies/revisions-file.ts';
import { WRITE_STEPS } from '#drivers/store/adapter.ts';
import { emptyBook, readBook, type RevisionBook, withRevision } from '#machines/config-copies/revisions.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sconce-revisions-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const one = withRevision(emptyBook, { dashboard_zoom: 90 }, { at: 1, isStart: true });
const two = withRevision(one, { dashboard_zoom: 110 }, { at: 2, isStart: true });
const open = (onStep?: () => void) =>
  revisionsFile<RevisionBook>({ folder, parse: readBook, ...(onStep !== undefined && { onStep }) });
const path = () => join(folder, 'revisions.json');

describe('the file of the revisions', () => {
  it('holds what was written, for no one else', async () => {
    expect(await open().read()).toEqual({ ok: true, value: null });
    expect(existsSync(path())).toBe(false);
    const file = open();
    await file.read();
    expect(await file.write(one)).toBeNull();
    expect(await open().read()).toEqual({ ok: true, value: one });
    expect(statSync(path()).mode & 0o777).toBe(0o600);
  });

  it.each(WRITE_STEPS)('is whole if a write ends after the step %s', async (last) => {
    const file = open();
    await file.read();
    await file.write(one);
    const cut = revisionsFile<RevisionBook>({
      folder,
      parse: readBook,
      onStep: (step) => {
        if (step === last) throw Object.assign(new Error('cut'), { code: 'EIO' });
      },
    });
    await cut.read();
    const code = await cut.write(two);
    const found = await open().read();
    expect([one, two]).toContainEqual(found.ok ? found.value : found);
    if (code !== null) expect(code).toBe('EIO');
  });

  it('is set aside if it is none, and its earlier copy counts', async () => {
    const file = open();
    await file.read();
    await file.write(one);
    await file.write(two);
    writeFileSync(path(), '{"version":1,');
    expect(await open().read()).toEqual({ ok: true, value: one });
    expect(readFileSync(`${path()}.broken`, 'utf8')).toBe('{"version":1,');
  });

  it('is not read if it is larger than any that is written', async () => {
    writeFileSync(path(), `${JSON.stringify(one)}${' '.repeat(5 * 1024 * 1024)}`);
    expect(await open().read()).toEqual({ ok: true, value: null });
  });

  it('that cannot be written keeps what it had', async () => {
    const file = open();
    await file.read();
    await file.write(one);
    rmSync(folder, { recursive: true });
    expect(await file.write(two)).toBe('ENOENT');
  });
});
