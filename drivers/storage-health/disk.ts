import { readFile, stat, statfs } from 'node:fs/promises';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { DiskFact, StorageDriverCommand, StorageLook } from '#machines/storage-health/events.ts';

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

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Reads and checks the document; one that was never written is not checked. */
const checkDocument = async (watched: WatchedStorage): Promise<StorageLook['check']> => {
  try {
    return (watched.check ?? isJsonObject)(await readFile(watched.document, 'utf8')) ? 'ok' : 'failed';
  } catch (error) {
    return isMissing(error) ? 'not_run' : 'failed';
  }
};

/**
 * One look at the data folder's file system; `full` reads the document too, and neither changes anything. What cannot
 * be told is null.
 */
export const inspectStorage = async (
  watched: WatchedStorage,
  depth: StorageDriverCommand['depth'],
): Promise<StorageLook> => {
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

/** Looks at the data folder whenever the machine asks, one look after another. */
export const storageDisk = (watched: WatchedStorage) =>
  fromDriver<StorageDriverCommand, undefined, DiskFact>((scope) => {
    const now = watched.now ?? Date.now;
    let last: Promise<void> = Promise.resolve();
    scope.onEvent(async ({ depth }) => {
      last = last.then(async () => {
        const at = now();
        scope.send({ type: 'storage.looked', look: await inspectStorage(watched, depth), at });
      });
      await last;
    });
  });
