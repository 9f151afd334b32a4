import { open } from 'node:fs/promises';

/** Bytes read at once: most files of procfs are shorter, and Node takes a buffer of this size from its pool. */
const PIECE_BYTES = 2048;
/** Most bytes of a file, far beyond the counters and routes of any panel. */
const MOST_BYTES = 1_048_576;

/**
 * The text of a file in procfs. Node itself reads these into 64 KiB each, since they have no length, and the buffers
 * stay until garbage is collected. Rejects like Node's, and if the file is longer than 1 MiB.
 */
export async function readProc(path: string): Promise<string> {
  const file = await open(path);
  try {
    const pieces: Buffer[] = [];
    for (let from = 0; from <= MOST_BYTES;) {
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      // oxlint-disable-next-line no-await-in-loop -- one piece after another
      const { bytesRead } = await file.read(piece, 0, PIECE_BYTES, null);
      if (bytesRead === 0) return Buffer.concat(pieces).toString('utf8');
      pieces.push(piece.subarray(0, bytesRead));
      from += bytesRead;
    }
    throw new RangeError('a file of procfs is longer than 1 MiB');
  } finally {
    await file.close();
  }
}
