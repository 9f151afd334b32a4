import { readFile, stat } from 'node:fs/promises';

import { errorCode } from '#drivers/kit/error-code.ts';
import { DurableFile, type WriteStep } from '#drivers/store/adapter.ts';
import { REVISIONS } from '#drivers/store/folder.ts';
import { ok, refuse, type Result } from '#machines/kit/result.ts';

/** Fifty configurations whose texts all have their maximum length take less. */
const MOST_BYTES = 4 * 1024 * 1024;

/** The file of the revisions; calls must not overlap. */
export interface RevisionsFile<T> {
  /** What it holds; null if it was never written or is no such file. The reason of a refusal is the error code. */
  readonly read: () => Promise<Result<T | null>>;
  /** Null once it is durable, else the error code; the file is then as it was. */
  readonly write: (value: T) => Promise<string | null>;
}

export interface RevisionsFileOptions<T> {
  /** The data folder. */
  readonly folder: string;
  /** Turns parsed JSON into what it holds; throws if it is something else. */
  readonly parse: (json: unknown) => T;
  /** Called after each step of a write. */
  readonly onStep?: (step: WriteStep) => void;
}

/** The file is larger than any that is written. */
class TooLarge extends Error {
  override readonly name = 'TooLarge';
  readonly code = 'EFBIG';
}

/** Keeps the revisions apart from the durable document, which they would make ten times as large. */
export function revisionsFile<T>({ folder, ...options }: RevisionsFileOptions<T>): RevisionsFile<T> {
  const file = new DurableFile<T>({
    folder,
    name: REVISIONS,
    readText: async (path) => {
      if ((await stat(path)).size > MOST_BYTES) throw new TooLarge();
      return readFile(path, 'utf8');
    },
    ...options,
  });
  return {
    read: async () => {
      try {
        return ok(await file.read());
      } catch (error) {
        return refuse(errorCode(error), 'The revisions cannot be read.');
      }
    },
    write: async (value) => {
      try {
        await file.write(value);
        return null;
      } catch (error) {
        return errorCode(error);
      }
    },
  };
}
