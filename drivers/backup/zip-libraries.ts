import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

import { once } from '#machines/kit/once.ts';

// What is used of yazl and yauzl, which have no types.

/** Writes an archive to its `outputStream`. */
interface ZipWriter {
  readonly outputStream: Readable;
  readonly addBuffer: (content: Buffer, name: string, options: { readonly mtime: Date; readonly mode: number }) => void;
  readonly end: () => void;
  readonly on: (event: 'error', listener: (error: Error) => void) => void;
}

/** What both headers of an entry have. */
interface ZipHeader {
  readonly generalPurposeBitFlag: number;
  readonly compressionMethod: number;
  readonly crc32: number;
  readonly compressedSize: number;
  readonly uncompressedSize: number;
}

/** An entry of the central directory. */
export interface ZipEntry extends ZipHeader {
  readonly fileNameRaw: Buffer;
  readonly fileNameLength: number;
  readonly extraFieldLength: number;
  readonly fileCommentLength: number;
  readonly extraFields: readonly { readonly id: number }[];
  readonly externalFileAttributes: number;
  readonly relativeOffsetOfLocalHeader: number;
}

/** The header right before the bytes of an entry. */
export interface ZipLocalHeader extends ZipHeader {
  readonly fileName: Buffer;
  /** Where the bytes of the entry begin. */
  readonly fileDataStart: number;
}

export interface ZipReader {
  readonly eachEntry: () => AsyncIterable<ZipEntry>;
  readonly readLocalFileHeaderPromise: (entry: ZipEntry) => Promise<ZipLocalHeader>;
  readonly openReadStreamPromise: (entry: ZipEntry) => Promise<Readable>;
  readonly close: () => void;
  readonly on: (event: 'error', listener: () => void) => void;
}

interface ZipLibraries {
  readonly ZipWriter: new () => ZipWriter;
  readonly openZip: (path: string, options: Readonly<Record<string, boolean>>) => Promise<ZipReader>;
}

/** In a build the libraries are a separate file (bin/build.mjs), so that only a backup or a restore loads them. */
const bundled = './zip.cjs';

/** The libraries for archives, loaded at the first backup or restore. */
export const zipLibraries = once((): ZipLibraries => {
  const load = createRequire(import.meta.url);
  const here = dirname(fileURLToPath(import.meta.url));
  // Modules loaded at run time have no types.
  if (existsSync(join(here, bundled))) return load(bundled) as ZipLibraries;
  const { ZipFile } = load('yazl') as { readonly ZipFile: ZipLibraries['ZipWriter'] };
  const { openPromise } = load('yauzl') as { readonly openPromise: ZipLibraries['openZip'] };
  return { ZipWriter: ZipFile, openZip: openPromise };
});
