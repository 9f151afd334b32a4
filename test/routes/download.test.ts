import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';

import { attachment, download } from '#routes/kit/download.ts';

const folder = mkdtempSync(join(tmpdir(), 'sconce-download-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => vi.useRealTimers());

const content = Uint8Array.from({ length: 200_000 }, (_, index) => (index * 31) % 251);
function sent(bytes = content.length): { readonly response: Response; readonly path: string } {
  const path = join(folder, 'archive');
  writeFileSync(path, content);
  return { path, response: download({ path, bytes, name: 'hall.hpb', type: 'application/zip', removes: true }) };
}

describe('a download', () => {
  it('is the whole file, which is then gone', async () => {
    const { response, path } = sent();
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'application/zip',
      'content-length': '200000',
      'content-disposition': 'attachment; filename="hall.hpb"',
      'cache-control': 'no-store',
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true);
    expect(existsSync(path)).toBe(false);
  });

  it('sends no more than the length that it told', async () => {
    expect((await sent(1000).response.arrayBuffer()).byteLength).toBe(1000);
  });

  it('may be empty', async () => {
    expect((await sent(0).response.arrayBuffer()).byteLength).toBe(0);
  });

  it('fails if the file is shorter than that', async () => {
    await expect(sent(content.length + 1).response.arrayBuffer()).rejects.toMatchObject({ code: 'file-cut-short' });
  });

  it('that nobody reads to the end is over after ten minutes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const reader = sent().response.body?.getReader();
    expect((await reader?.read())?.value).toHaveLength(64 * 1024);
    vi.advanceTimersByTime(599_999);
    expect((await reader?.read())?.value).toHaveLength(64 * 1024);
    vi.advanceTimersByTime(1);
    await expect(reader?.read()).rejects.toMatchObject({ code: 'download-too-slow' });
  });
});

describe('the name of a file', () => {
  it.each([
    ['hall.hpb', 'attachment; filename="hall.hpb"'],
    ['Hall panel 2.hpb', 'attachment; filename="Hall panel 2.hpb"'],
    ['Küche.hpb', `attachment; filename="K_che.hpb"; filename*=UTF-8''K%C3%BCche.hpb`],
    ["it's (1)é", `attachment; filename="it's (1)_"; filename*=UTF-8''it%27s%20%281%29%C3%A9`],
    ['100%.hpb', `attachment; filename="100_.hpb"; filename*=UTF-8''100%25.hpb`],
    ['../../etc/passwd', 'attachment; filename="_.._etc_passwd"'],
    ['a"b\\c\r\nd', 'attachment; filename="a_b_c__d"'],
    ['\u202Egnp.exe', 'attachment; filename="_gnp.exe"'],
    ['\uD800', `attachment; filename="_"; filename*=UTF-8''%EF%BF%BD`],
    ['', 'attachment; filename="download"'],
    ['...', 'attachment; filename="download"'],
    ['x'.repeat(300), `attachment; filename="${'x'.repeat(100)}"`],
  ])('%j is sent as a plain name', (name, expected) => {
    expect(attachment(name)).toBe(expected);
  });
});
