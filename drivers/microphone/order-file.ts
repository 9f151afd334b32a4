import { constants } from 'node:fs';
import { lstat, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { errorCode } from '#drivers/kit/error-code.ts';
import { fieldsOf } from '#drivers/kit/json-fields.ts';
import { syncFolder } from '#drivers/kit/replace-file.ts';
import { MICROPHONE_ORDER } from '#drivers/store/folder.ts';
import { foreignValue } from '#machines/kit/foreign-json.ts';

/** What a person on this machine wants of the permission; bound to its install id, so that no clone obeys it. */
export interface MicrophoneOrder {
  readonly do: 'allow' | 'forget';
  /** 32 lower-case hex digits. */
  readonly installId: string;
}

/** The order that `sconce microphone` has left; it outlives neither its execution nor a reset. */
export interface OrderFile {
  /** Null without one; `invalid` if it cannot be one of ours. */
  readonly read: () => Promise<MicrophoneOrder | 'invalid' | null>;
  /** Removes it; the code of the error if the disk refuses. */
  readonly remove: () => Promise<string | null>;
}

const MOST_BYTES = 256;
const BOUNDS = { depth: 2, tokens: 16 } as const;
const OTHERS_MAY_WRITE = 0o022;

const pathIn = (folder: string): string => join(folder, MICROPHONE_ORDER);

function orderIn(text: string): MicrophoneOrder | 'invalid' {
  const { do: task, installId } = fieldsOf(foreignValue(text, BOUNDS));
  const isOurs = typeof installId === 'string' && /^[0-9a-f]{32}$/.test(installId);
  return isOurs && (task === 'allow' || task === 'forget') ? { do: task, installId } : 'invalid';
}

/** Reads it only if this user or root wrote it, and no other user can: a data folder may be one like /tmp. */
async function read(folder: string): Promise<MicrophoneOrder | 'invalid' | null> {
  let file;
  try {
    file = await open(pathIn(folder), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? null : 'invalid';
  }
  try {
    const facts = await file.stat();
    const isOurs = [0, process.getuid?.()].includes(facts.uid) && (facts.mode & OTHERS_MAY_WRITE) === 0;
    if (!facts.isFile() || facts.size > MOST_BYTES || !isOurs) return 'invalid';
    return orderIn(await file.readFile('utf8'));
  } catch {
    return 'invalid';
  } finally {
    await file.close();
  }
}

async function remove(folder: string): Promise<string | null> {
  try {
    await rm(pathIn(folder), { force: true, recursive: true });
    await syncFolder(folder);
    return null;
  } catch (error) {
    return errorCode(error);
  }
}

export const orderFile = (folder: string): OrderFile => ({
  read: () => read(folder),
  remove: () => remove(folder),
});

/** True while the order was not taken. */
export const isOrderLeft = (folder: string): Promise<boolean> =>
  lstat(pathIn(folder)).then(
    () => true,
    (error: unknown) => errorCode(error) !== 'ENOENT',
  );

/** Leaves an order for the agent of that folder, 0600; null on success, else the error code. */
export async function leaveOrder(folder: string, order: MicrophoneOrder): Promise<string | null> {
  const next = `${pathIn(folder)}.next`;
  try {
    const owner = await stat(folder);
    await rm(next, { force: true });
    const file = await open(next, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(order)}\n`);
      // Root writes it for the agent's user.
      if (process.getuid?.() === 0 && owner.uid !== 0) await file.chown(owner.uid, owner.gid);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(next, pathIn(folder));
    await syncFolder(folder);
    return null;
  } catch (error) {
    await rm(next, { force: true }).catch(() => {});
    return errorCode(error);
  }
}
