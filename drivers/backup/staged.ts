import { createHash } from 'node:crypto';
import { constants, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { errorCode } from '#drivers/kit/error-code.ts';
import { syncFolder } from '#drivers/kit/replace-file.ts';
import { catalogFolder, fileOf, folderOf, type RevisionName } from '#drivers/profiles/places.ts';
import { RESTORE } from '#drivers/store/folder.ts';

/** Name of the file with everything that the start needs. */
const PLAN = 'plan.json';

/** Largest plan that is read, in bytes: every part of an archive at its limit, as JSON. */
const MOST_BYTES = 64 * 1024 * 1024;

/** A revision of a profile with its exact text. */
export interface StagedRevision extends RevisionName {
  readonly yaml: string;
}

export type Staging =
  /** `digest` is the SHA-256 of the plan, for the order. */
  { readonly ok: true; readonly digest: string } | { readonly ok: false; readonly code: string };

/** Folder in which everything that a restore brings waits for the next start. */
export const restoreFolder = (data: string): string => join(data, RESTORE);

/** A staged revision of a profile; the folders are those of the catalogue. */
export const stagedRevision = (data: string, name: RevisionName): string => fileOf(restoreFolder(data), name);

const digestOf = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

/** Writes a new file, 0600, and makes its content durable. */
export async function writeSynced(path: string, data: string): Promise<void> {
  const file = await open(
    path,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    0o600,
  );
  try {
    await file.writeFile(data);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function makeFolder(path: string): Promise<void> {
  // Not `recursive`: the folder above exists, and on some file systems Node never returns from a recursive mkdir.
  if (!existsSync(path)) await mkdir(path, { mode: 0o700 });
}

async function stageRevisions(data: string, revisions: readonly StagedRevision[]): Promise<void> {
  if (revisions.length === 0) return;
  const staged = restoreFolder(data);
  const folders = new Set<string>([catalogFolder(staged)]);
  await makeFolder(catalogFolder(staged));
  for (const { yaml, ...name } of revisions) {
    const folder = folderOf(staged, name.id);
    folders.add(folder);
    // oxlint-disable-next-line no-await-in-loop -- one file after another, so that few are open
    await makeFolder(folder);
    // oxlint-disable-next-line no-await-in-loop -- as above
    await writeSynced(stagedRevision(data, name), yaml);
  }
  await Promise.all([...folders].map((folder) => syncFolder(folder)));
}

/** Removes everything that was staged; a failure leaves it for the next start. */
export async function unstage(data: string): Promise<void> {
  await rm(restoreFolder(data), { recursive: true, force: true }).catch(() => {});
}

/**
 * Writes what a restore brings beside what is there, durably, and changes nothing else. Only an order that names the
 * digest makes a start use it. A refusal by the disk leaves nothing behind.
 */
export async function stage(data: string, plan: unknown, revisions: readonly StagedRevision[]): Promise<Staging> {
  try {
    const text = JSON.stringify(plan);
    await rm(restoreFolder(data), { recursive: true, force: true });
    await mkdir(restoreFolder(data), { mode: 0o700 });
    await stageRevisions(data, revisions);
    await writeSynced(join(restoreFolder(data), PLAN), text);
    await syncFolder(restoreFolder(data));
    await syncFolder(dirname(restoreFolder(data)));
    return { ok: true, digest: digestOf(text) };
  } catch (error) {
    await unstage(data);
    return { ok: false, code: errorCode(error) };
  }
}

/** True if something is staged, with or without an order. */
export const isStaged = (data: string): boolean => existsSync(restoreFolder(data));

/** The staged plan of that digest; undefined if it is missing, damaged or another one. */
export function readStaged(data: string, digest: string): unknown {
  const path = join(restoreFolder(data), PLAN);
  try {
    if (statSync(path).size > MOST_BYTES) return undefined;
    const bytes = readFileSync(path);
    return digestOf(bytes) === digest ? (JSON.parse(bytes.toString('utf8')) as unknown) : undefined;
  } catch {
    return undefined;
  }
}

/** As `unstage`, while nothing else runs. */
export function unstageNow(data: string): void {
  try {
    rmSync(restoreFolder(data), { recursive: true, force: true });
  } catch {
    // The disk refuses; the next start tries again.
  }
}
