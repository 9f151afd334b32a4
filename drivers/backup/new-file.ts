import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** Bytes as they come: a stream of Node, or made while they are written. */
type Source = AsyncIterable<Uint8Array>;

/**
 * Writes a new file, 0600 and durable; the number of its bytes. Rejects with the error of the disk or of the source,
 * and then leaves no file; one that existed is left as it was.
 */
export async function writeNew(path: string, source: Source): Promise<number> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  let isOurs = false;
  file.once('open', () => {
    isOurs = true;
  });
  try {
    await pipeline(source, file);
    return file.bytesWritten;
  } catch (error) {
    if (isOurs) await rm(path, { force: true });
    throw error;
  }
}
