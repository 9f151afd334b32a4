import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Prefix of files with the body of a request; other subsystems may share the folder. */
export const UPLOAD_PREFIX = 'upload-';

/** Removes the files of an agent that was killed while it received one. */
export async function removeLeftovers(folder: string): Promise<void> {
  // No folder yet: nothing was ever received.
  const names = await readdir(folder).catch(() => []);
  const left = names.filter((name) => name.startsWith(UPLOAD_PREFIX));
  // The disk may have become read-only; the next start tries again.
  await Promise.all(left.map((name) => rm(join(folder, name), { force: true }).catch(() => {})));
}
