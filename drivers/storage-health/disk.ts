import { readdir, readFile, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

import { errorCode } from '#drivers/kit/error-code.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { serial } from '#drivers/kit/serial.ts';
import { SECTIONS } from '#drivers/store/folder.ts';
import { isSectionJson, sectionOfFile } from '#drivers/store/section-file.ts';
import type { DiskFact, StorageDriverCommand, StorageInspection } from '#machines/storage-health/events.ts';

import { findLargeFolders } from './large-folders.ts';
import { measureFolder } from './sizes.ts';

export interface WatchedStorage {
  /** The data folder. */
  readonly folder: string;
  /** Path of the durable document. */
  readonly document: string;
  /** True if the text of the document is valid; by default if it is a JSON object. */
  readonly check?: (text: string) => boolean;
  /** Milliseconds since the Unix epoch. */
  readonly now?: () => number;
}

function isJsonObject(text: string): boolean {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  } catch {
    return false;
  }
}

/** Sections whose file is not valid. */
async function damagedSections(folder: string): Promise<readonly string[]> {
  const own = join(folder, SECTIONS);
  const damagedIn = async (name: string): Promise<readonly string[]> => {
    const section = sectionOfFile(name);
    if (section === null) return [];
    try {
      return isSectionJson(JSON.parse(await readFile(join(own, name), 'utf8'))) ? [] : [section];
    } catch (error) {
      return errorCode(error) === 'ENOENT' ? [] : [section];
    }
  };
  const names = await readdir(own).catch(() => []);
  const damaged = (await Promise.all(names.map(damagedIn))).flat();
  return damaged.toSorted((a, b) => a.localeCompare(b));
}

async function checkDocument({ document, check = isJsonObject }: WatchedStorage): Promise<StorageInspection['check']> {
  try {
    return check(await readFile(document, 'utf8')) ? 'ok' : 'failed';
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? 'not_run' : 'failed';
  }
}

type Checked = Pick<StorageInspection, 'check' | 'damaged'>;

const unchecked: Checked = { check: 'not_run', damaged: [] };

/**
 * Reads and checks the document and the files of sections; files never written are not checked. A damaged document
 * takes precedence.
 */
async function checkStored(watched: WatchedStorage): Promise<Checked> {
  const check = await checkDocument(watched);
  const damaged = check === 'failed' ? [] : await damagedSections(watched.folder);
  return { check: damaged.length === 0 ? check : 'failed', damaged };
}

/**
 * One inspection of the data folder; `full` reads the document too, with `culprits` also what else fills its disk.
 * Nothing is changed. Unknown values are null.
 */
export async function inspectStorage(
  watched: WatchedStorage,
  depth: StorageDriverCommand['depth'],
  culprits = false,
): Promise<StorageInspection> {
  const [capacity, document, sizes, checked, large] = await Promise.all([
    statfs(watched.folder).catch(() => null),
    stat(watched.document).catch(() => null),
    measureFolder(watched.folder),
    depth === 'full' ? checkStored(watched) : unchecked,
    culprits ? findLargeFolders(watched.folder) : undefined,
  ]);
  return {
    // The agent cannot use the blocks reserved for root.
    usableBytes: capacity === null ? null : capacity.bavail * capacity.bsize,
    totalBytes: capacity === null ? null : capacity.blocks * capacity.bsize,
    documentBytes: document?.size ?? null,
    sizes,
    ...(large !== undefined && { large }),
    ...checked,
  };
}

/** Inspects the data folder whenever the machine asks, one inspection after another. */
export const storageDisk = (watched: WatchedStorage) =>
  fromDriver<StorageDriverCommand, undefined, DiskFact>((scope) => {
    const now = watched.now ?? Date.now;
    const inTurn = serial();
    scope.onEvent(({ depth, culprits }) =>
      inTurn(async () => {
        const at = now();
        scope.send({ type: 'storage.inspected', inspection: await inspectStorage(watched, depth, culprits), at });
      }),
    );
  });
