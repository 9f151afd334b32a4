import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';

import { checkStorage } from '#bin/storage-check.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
function folderWith(text: string | null): string {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-kept-'));
  folders.push(folder);
  if (text !== null) writeFileSync(join(folder, 'state.json'), text);
  return folder;
}

it('a damaged document is not sound, and the doctor says what to do', async () => {
  const kept = await checkStorage(folderWith('{"sections":'), 1);
  expect(kept).toMatchObject({ sound: false });
  expect(kept?.sentence).toMatch(/damaged/);
  expect(kept?.action).toMatch(/^Save the settings again/);
});

it('a whole document is judged by the space that is left, and one that was never written is no failure', async () => {
  for (const text of ['{"version":1,"sections":{}}', null]) {
    // oxlint-disable-next-line no-await-in-loop -- one folder after another
    expect((await checkStorage(folderWith(text), 1))?.sentence).not.toMatch(/damaged/);
  }
});

it('names nothing to free while there is enough space or only the document is damaged', async () => {
  expect((await checkStorage(folderWith('{"sections":'), 1))?.fix).toBeNull();
});

it('a folder that is not there yet is nothing to judge', async () => {
  expect(await checkStorage('/nonexistent/sconce', 1)).toBeNull();
});
