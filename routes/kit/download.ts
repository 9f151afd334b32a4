import { open, rm, type FileHandle } from 'node:fs/promises';
import { z } from 'zod';

import type { Milliseconds } from '#machines/kit/units.ts';
import type { Answer } from './answer.ts';
import { noStore } from './no-store.ts';

/** A file that is sent once. */
export interface SentFile {
  readonly path: string;
  /** Its length; it must not change any more. */
  readonly bytes: number;
  /** Name under which it is saved. */
  readonly name: string;
  /** Its media type. */
  readonly type: string;
  /** It is removed, whatever becomes of the response. */
  readonly removes: true;
}

/** Bytes that are read at a time. */
const PIECE_BYTES = 64 * 1024;

/** How long all of it may take; until then its space on the disk is taken. */
const SEND_MS: Milliseconds = 600_000;

/** Longest name, in characters. */
const NAME_LENGTH = 100;

/** The file could not be sent to its end. */
class DownloadError extends Error {
  readonly code: string;
  constructor(code: 'file-cut-short' | 'download-too-slow') {
    super(code);
    this.code = code;
  }
}

/** A name without what a file system or a shell may take for more than a name. */
function safeName(name: string): string {
  const plain = name
    .toWellFormed()
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}"*/:<>?\\|]/gu, '_')
    .replace(/^[.\s]+/, '')
    .slice(0, NAME_LENGTH)
    .toWellFormed()
    .trim();
  return plain === '' ? 'download' : plain;
}

/** Percent-encoded as RFC 8187 has it, which keeps fewer characters than a URI. */
const extended = (name: string): string =>
  encodeURIComponent(name).replaceAll(/['()]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/** The header of a file to be saved (RFC 6266); a name beyond ASCII is given in both spellings. */
export function attachment(name: string): string {
  const safe = safeName(name);
  const ascii = safe.replaceAll(/[^ -~]/g, '_').replaceAll('%', '_');
  const plain = `attachment; filename="${ascii}"`;
  return ascii === safe ? plain : `${plain}; filename*=UTF-8''${extended(safe)}`;
}

/** Opens a file and removes its name, so that it is gone once it is closed, even if the agent is killed. */
async function openUnnamed(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } finally {
    await rm(path, { force: true });
  }
}

/**
 * Answers with a file from the disk, piece by piece as its reader takes it. The file is removed at the first look, and
 * its space is free after the last byte, on a failure, when the reader leaves or stalls (the listener ends it), and
 * after ten minutes.
 */
export function download({ path, bytes, name, type }: SentFile): Response {
  const opened = openUnnamed(path);
  let left = bytes;
  let isOver = false;
  const end = async (): Promise<void> => {
    if (isOver) return;
    isOver = true;
    clearTimeout(deadline);
    // The failure to open it was told to its reader.
    await opened.then((file) => file.close()).catch(() => {});
  };
  const read = async (): Promise<Uint8Array> => {
    const file = await opened;
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(Math.min(PIECE_BYTES, left)), 0);
    if (bytesRead === 0 && left > 0) throw new DownloadError('file-cut-short');
    left -= bytesRead;
    return buffer.subarray(0, bytesRead);
  };
  let cut: () => void = () => {};
  const deadline = setTimeout(() => cut(), SEND_MS);
  deadline.unref();
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        cut = () => {
          controller.error(new DownloadError('download-too-slow'));
          void end();
        };
        // Reported when it is read.
        opened.catch(() => {});
      },
      pull: async (controller) => {
        try {
          const piece = await read();
          if (isOver) return;
          if (piece.length > 0) controller.enqueue(piece);
          if (left > 0) return;
          await end();
          controller.close();
        } catch (error) {
          if (isOver) return;
          await end();
          throw error;
        }
      },
      cancel: end,
    },
    // Nothing is read ahead of its reader.
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: {
      'Content-Type': type,
      'Content-Length': String(bytes),
      'Content-Disposition': attachment(name),
      ...noStore,
    },
  });
}

const nameHeader = { 'Content-Disposition': 'An attachment with the name of the file.' };

/** A file that is sent from the disk: what `download` returns. */
export const file = (description: string, type: string): Answer<Response, never> => ({
  description,
  type,
  schema: z.string().meta({ type: 'string', format: 'binary' }),
  headers: nameHeader,
});
