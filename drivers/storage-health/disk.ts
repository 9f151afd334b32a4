import { readdir, readFile, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

import { errorCode } from '#drivers/kit/error-code.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { serial } from '#drivers/kit/serial.ts';
import { SECTIONS } from '#drivers/store/folder.ts';
import { readSectionJson } from '#drivers/store/section-file.ts';
import type { DiskFact, StorageDriverCommand, StorageInspection } from '#machines/storage-health/events.ts';

import { measureFolder } from './sizes.ts';

/** What is watched. */
export interface WatchedStorage {
  /** The data folder. */
  readonly folder: string;
  /** Path of the durable document. */
  readonly document: string;
  /** Whether the text of the document is sound; by default that it is a JSON object. */
  readonly check?: (text: string) => boolean;
  /** Milliseconds since the Unix epoch. */
  readonly now?: () => number;
}

const isJsonObject = (text: string): boolean => {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  } catch {
    return false;
  }
};

/** Whether each section that has a file of its own can be read from it. */
async function areSectionsSound(folder: string): Promise<boolean> {
  const own = join(folder, SECTIONS);
  const names = await readdir(own).catch(() => []);
  try {
    const files = names.filter((name) => name.endsWith('.json'));
    for (const text of await Promise.all(files.map((name) => readFile(join(own, name), 'utf8'))))
      readSectionJson(JSON.parse(text));
    return true;
  } catch {
    return false;
  }
}

/** Reads and checks the document and the sections beside it; what was never written is not checked. */
const checkDocument = async (watched: WatchedStorage): Promise<StorageInspection['check']> => {
  if (!(await areSectionsSound(watched.folder))) return 'failed';
  try {
    return (watched.check ?? isJsonObject)(await readFile(watched.document, 'utf8')) ? 'ok' : 'failed';
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? 'not_run' : 'failed';
  }
};

/**
 * One inspection of the data folder's file system; `full` reads the document too, and neither changes anything. What
 * cannot be told is null.
 */
export const inspectStorage = async (
  watched: WatchedStorage,
  depth: StorageDriverCommand['depth'],
): Promise<StorageInspection> => {
  const [capacity, document, sizes, check] = await Promise.all([
    statfs(watched.folder).catch(() => null),
    stat(watched.document).catch(() => null),
    measureFolder(watched.folder),
    depth === 'full' ? checkDocument(watched) : ('not_run' as const),
  ]);
  return {
    // Blocks that only the administrator may use are no help to the agent.
    usableBytes: capacity === null ? null : capacity.bavail * capacity.bsize,
    totalBytes: capacity === null ? null : capacity.blocks * capacity.bsize,
    documentBytes: document?.size ?? null,
    sizes,
    check,
  };
};

/** Inspects the data folder whenever the machine asks, one inspection after another. */
export const storageDisk = (watched: WatchedStorage) =>
  fromDriver<StorageDriverCommand, undefined, DiskFact>((scope) => {
    const now = watched.now ?? Date.now;
    const inTurn = serial();
    scope.onEvent(({ depth }) =>
      inTurn(async () => {
        const at = now();
        scope.send({ type: 'storage.inspected', inspection: await inspectStorage(watched, depth), at });
      }),
    );
  });
