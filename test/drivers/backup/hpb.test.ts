import { createDecipheriv, pbkdf2Sync } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { decrypted, encrypted, isEncrypted } from '#drivers/backup/hpb.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sconce-hpb-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);
const passphrase = 'correct horse bättery';

async function encryptedBytes(content: Uint8Array): Promise<Buffer> {
  writeFileSync(at('plain'), content);
  await encrypted(at('plain'), at('made.hpb'), passphrase);
  return readFileSync(at('made.hpb'));
}

async function opens(bytes: Uint8Array, by = passphrase): Promise<boolean> {
  writeFileSync(at('given.hpb'), bytes);
  const isOpen = await decrypted(at('given.hpb'), at('opened'), by);
  expect(existsSync(at('opened'))).toBe(isOpen);
  return isOpen;
}

describe('the encrypted envelope', () => {
  it('is the one of panel-assistant: HPB1, salt, IV, AES-256-GCM, tag', async () => {
    const bytes = await encryptedBytes(Buffer.from('what is inside'));
    expect([bytes.length, bytes.subarray(0, 4).toString()]).toEqual([48 + 14, 'HPB1']);
    const key = pbkdf2Sync(passphrase, bytes.subarray(4, 20), 210_000, 32, 'sha256');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(20, 32)).setAuthTag(bytes.subarray(-16));
    const content = Buffer.concat([decipher.update(bytes.subarray(32, -16)), decipher.final()]);
    expect(content.toString()).toBe('what is inside');
    expect(statSync(at('made.hpb')).mode & 0o777).toBe(0o600);
    expect(await isEncrypted(at('made.hpb'))).toBe(true);
    expect(await isEncrypted(at('plain'))).toBe(false);
  });

  it.each([0, 300_001])('returns %d bytes as they were', async (length) => {
    const content = Buffer.alloc(length, 'some content ');
    expect(await opens(await encryptedBytes(content))).toBe(true);
    expect(readFileSync(at('opened'))).toEqual(content);
    expect(statSync(at('opened')).mode & 0o777).toBe(0o600);
  });

  it('has another salt and another IV each time', async () => {
    const first = await encryptedBytes(Buffer.from('the same'));
    rmSync(at('made.hpb'));
    const second = await encryptedBytes(Buffer.from('the same'));
    expect(first.subarray(4, 20)).not.toEqual(second.subarray(4, 20));
    expect(first.subarray(20, 32)).not.toEqual(second.subarray(20, 32));
  });

  it('opens with no other passphrase, and nothing of it stays on the disk', async () => {
    const bytes = await encryptedBytes(Buffer.alloc(200_000, 'secret '));
    expect(await opens(bytes, 'Correct horse bättery')).toBe(false);
    expect(await opens(bytes, '')).toBe(false);
  });

  it('does not open once a byte of any part was changed, or is missing', async () => {
    const bytes = await encryptedBytes(Buffer.alloc(1000, 'secret '));
    for (const place of [0, 19, 31, 32, bytes.length - 17, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[place] = (changed[place] ?? 0) ^ 1;
      // oxlint-disable-next-line no-await-in-loop -- one file
      expect([place, await opens(changed)]).toEqual([place, false]);
    }
    expect(await opens(bytes.subarray(0, -1))).toBe(false);
    expect(await opens(Buffer.concat([bytes, Buffer.from([0])]))).toBe(false);
    expect(await opens(bytes.subarray(0, 47))).toBe(false);
    expect(await opens(Buffer.alloc(0))).toBe(false);
  });

  it('leaves no file where the disk refuses, and none that it did not make', async () => {
    writeFileSync(at('plain'), 'x');
    await expect(encrypted(at('none'), at('made.hpb'), passphrase)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(existsSync(at('made.hpb'))).toBe(false);
    writeFileSync(at('made.hpb'), 'mine');
    await expect(encrypted(at('plain'), at('made.hpb'), passphrase)).rejects.toMatchObject({ code: 'EEXIST' });
    expect(readFileSync(at('made.hpb'), 'utf8')).toBe('mine');
    await expect(encrypted(at('plain'), '/dev/full', passphrase)).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(isEncrypted(at('none'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('keeps the event loop free while the key is made', async () => {
    writeFileSync(at('plain'), 'x');
    let turns = 0;
    const count = setInterval(() => (turns += 1), 1);
    await encrypted(at('plain'), at('made.hpb'), passphrase);
    clearInterval(count);
    expect(turns).toBeGreaterThan(2);
  });
});
