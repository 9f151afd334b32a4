import { createHash, randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { TEMPORARY } from '#drivers/store/folder.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

/** Prefix of the files; other subsystems share the folder. */
const PREFIX = 'owner-';
/** How long a token is valid. */
const VALID_MS: Milliseconds = 60_000;
const TOKEN = /^[0-9a-f]{64}$/;

/** The name reveals nothing of the token. */
const fileOf = (folder: string, token: string): string =>
  join(folder, TEMPORARY, PREFIX + createHash('sha256').update(token).digest('hex'));

/**
 * Leaves the proof that this process may write into the data folder, and returns the one-use token that refers to it.
 * Only the folder's owner and root can; as root the file is made the owner's, so that the agent can remove it. Throws
 * the error of the disk.
 */
export function leaveProof(folder: string): string {
  const owner = statSync(folder);
  const isRoot = process.getuid?.() === 0;
  const own = (path: string): void => {
    if (isRoot) chownSync(path, owner.uid, owner.gid);
  };
  const shared = join(folder, TEMPORARY);
  if (!existsSync(shared)) {
    mkdirSync(shared, { mode: 0o700 });
    own(shared);
  }
  const token = randomBytes(32).toString('hex');
  const file = fileOf(folder, token);
  writeFileSync(file, '', { mode: 0o600, flag: 'wx' });
  own(file);
  return token;
}

/** Uses a token up; true if its proof was left by the owner of the data folder within the last minute. */
export function redeemProof(folder: string, token: string, now: number): boolean {
  if (!TOKEN.test(token)) return false;
  const file = fileOf(folder, token);
  try {
    const facts = lstatSync(file);
    // Of two requests with one token, only one removes the file.
    unlinkSync(file);
    return facts.isFile() && facts.uid === process.getuid?.() && Math.abs(now - facts.mtimeMs) <= VALID_MS;
  } catch {
    return false;
  }
}

/** Removes the proof of a token that was not used. */
export function withdrawProof(folder: string, token: string): void {
  rmSync(fileOf(folder, token), { force: true });
}

/** Removes what was never used. */
export function sweepProofs(folder: string): void {
  const shared = join(folder, TEMPORARY);
  try {
    for (const name of readdirSync(shared)) if (name.startsWith(PREFIX)) rmSync(join(shared, name), { force: true });
  } catch {
    // There is no such folder yet, or the disk refuses.
  }
}
