import { copyFile, link, open, rename, unlink } from 'node:fs/promises';

import { errorCode } from '#drivers/kit/error-code.ts';

/** Codes of file systems without hard links: FAT, some network ones. */
const WITHOUT_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS']);

/**
 * Gives a file a second name, which may exist already, so that neither name is ever missing; `keep` is the name on the
 * way. File systems without hard links get a copy.
 */
export async function linkFile(
  from: string,
  to: string,
  { keep, onLinked = () => {} }: { readonly keep: string; readonly onLinked?: () => void },
): Promise<void> {
  await removeQuietly(keep);
  try {
    await link(from, keep);
  } catch (error) {
    if (!WITHOUT_LINKS.has(errorCode(error))) throw error;
    await copyFile(from, keep);
    await syncFile(keep);
  }
  onLinked();
  await rename(keep, to);
}

/** Removes a file. It may be absent; anything that blocks a write shows in the write. */
export async function removeQuietly(path: string): Promise<void> {
  await unlink(path).catch(() => {});
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
