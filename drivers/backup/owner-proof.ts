import { createHash, randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
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
 * Does something in the data folder as its owner. Root may do more than that owner, who may have put a link in its way:
 * what they may not do is not done for them.
 */
function asOwner<T>(folder: string, work: () => T): T {
  const { uid, gid } = statSync(folder);
  if (process.getuid?.() !== 0 || uid === 0) return work();
  const group = process.getegid?.() ?? 0;
  process.setegid?.(gid);
  process.seteuid?.(uid);
  try {
    return work();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(group);
  }
}

/**
 * Leaves the proof that this process may write into the data folder, and returns the one-use token that refers to it.
 * Only the folder's owner and root can; for root the file is the owner's, so that the agent can remove it. Throws the
 * error of the disk.
 */
export function leaveProof(folder: string): string {
  const token = randomBytes(32).toString('hex');
  asOwner(folder, () => {
    const shared = join(folder, TEMPORARY);
    if (!existsSync(shared)) mkdirSync(shared, { mode: 0o700 });
    writeFileSync(fileOf(folder, token), '', { mode: 0o600, flag: 'wx' });
  });
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

/** Removes the proof of a token that was not used; what the disk refuses is over in a minute, or at a start. */
export function withdrawProof(folder: string, token: string): void {
  try {
    asOwner(folder, () => rmSync(fileOf(folder, token), { force: true }));
  } catch {
    // There is no such folder any more, or the disk refuses.
  }
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
