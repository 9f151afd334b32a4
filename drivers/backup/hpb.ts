import { createCipheriv, createDecipheriv, pbkdf2, randomBytes } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { promisify } from 'node:util';

import { writeNew } from './new-file.ts';

// The envelope of an encrypted archive, as panel-assistant writes it: "HPB1", salt, IV, ciphertext, tag.

const MAGIC = Buffer.from('HPB1', 'latin1');
const SALT_BYTES = 16;
const IV_BYTES = 12;
const HEAD_BYTES = MAGIC.length + SALT_BYTES + IV_BYTES;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const CIPHER = 'aes-256-gcm';
/** Rounds of PBKDF2-HMAC-SHA256. */
const ROUNDS = 210_000;

/** About 0.1 s on a desktop and 1 s on a small panel, in a thread beside the event loop. */
const keyOf = (passphrase: string, salt: Uint8Array): Promise<Buffer> =>
  promisify(pbkdf2)(Buffer.from(passphrase, 'utf8'), salt, ROUNDS, KEY_BYTES, 'sha256');

/** The bytes of a file from `start` to before `end`. */
const bytesOf = (file: FileHandle, start: number, end: number): AsyncIterable<Buffer> | readonly Buffer[] =>
  end <= start ? [] : file.createReadStream({ start, end: end - 1, autoClose: false });

async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}

/** Encrypts a file into a new one; rejects with the error of the disk, and then leaves none. */
export async function encrypted(plainPath: string, target: string, passphrase: string): Promise<void> {
  const file = await open(plainPath, 'r');
  try {
    const { size } = await file.stat();
    const [salt, iv] = [randomBytes(SALT_BYTES), randomBytes(IV_BYTES)];
    const cipher = createCipheriv(CIPHER, await keyOf(passphrase, salt), iv);
    const content = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.concat([MAGIC, salt, iv]);
      for await (const chunk of bytesOf(file, 0, size)) yield cipher.update(chunk);
      yield cipher.final();
      yield cipher.getAuthTag();
    };
    await writeNew(target, content());
  } finally {
    await file.close();
  }
}

/**
 * Decrypts a file into a new one. False, and no new file, if the passphrase is wrong or the file was changed, which
 * cannot be told apart; rejects with the error of the disk.
 */
export async function decrypted(path: string, target: string, passphrase: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const head = await readAt(file, 0, HEAD_BYTES);
    const end = size - TAG_BYTES;
    if (end < HEAD_BYTES || !head.subarray(0, MAGIC.length).equals(MAGIC)) return false;
    const salt = head.subarray(MAGIC.length, MAGIC.length + SALT_BYTES);
    const decipher = createDecipheriv(CIPHER, await keyOf(passphrase, salt), head.subarray(-IV_BYTES));
    decipher.setAuthTag(await readAt(file, end, TAG_BYTES));
    let isGenuine = false;
    const content = async function* (): AsyncGenerator<Uint8Array> {
      for await (const chunk of bytesOf(file, HEAD_BYTES, end)) yield decipher.update(chunk);
      try {
        decipher.final();
        isGenuine = true;
      } catch {
        // The tag does not fit: what was written so far is worth nothing.
      }
    };
    await writeNew(target, content());
    if (!isGenuine) await rm(target, { force: true });
    return isGenuine;
  } finally {
    await file.close();
  }
}

/** True if a file begins like an encrypted archive; rejects with the error of the disk. */
export async function isEncrypted(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    return (await readAt(file, 0, MAGIC.length)).equals(MAGIC);
  } finally {
    await file.close();
  }
}
