import { crc32 } from 'node:zlib';

import type { ArchiveRefusal } from '#machines/backup/events.ts';
import { isArchiveEntry, MANIFEST } from '#machines/kit/archive-entries.ts';

import { type Directory, judgeEnds, judgeEntry, judgeLayout, judgeLocal } from './judge-zip.ts';
import { writeNew } from './new-file.ts';
import { type ZipEntry, type ZipReader, zipLibraries } from './zip-libraries.ts';

export interface Entry {
  readonly name: string;
  readonly content: Uint8Array;
}

/** A container with its entries, or why it is refused: one plain sentence. */
export type ReadContainer =
  | { readonly entries: ReadonlyMap<string, Uint8Array> }
  | { readonly refused: ArchiveRefusal; readonly message: string };

/** The same for every entry: an archive does not say when its panel wrote what. */
const written = { mtime: new Date(Date.UTC(2000, 0, 1)), mode: 0o100600 };

/**
 * Writes a new archive, 0600 and durable, with the manifest first; the number of its bytes. Rejects with the error of
 * the disk, and then leaves none.
 */
export async function writeContainer(path: string, entries: readonly Entry[]): Promise<number> {
  const { ZipWriter } = zipLibraries();
  const zip = new ZipWriter();
  zip.on('error', (error) => zip.outputStream.destroy(error));
  const first = entries.filter(({ name }) => name === MANIFEST);
  const others = entries.filter(({ name }) => name !== MANIFEST);
  for (const { name, content } of [...first, ...others]) {
    const { buffer, byteOffset, byteLength } = content;
    zip.addBuffer(Buffer.from(buffer, byteOffset, byteLength), name, written);
  }
  zip.end();
  return writeNew(path, zip.outputStream);
}

const bad = (message: string) => ({ refused: 'bad-archive' as const, message });

const damaged = bad('The backup is damaged: its content is not what was written.');

/** The content of an entry, never more bytes than it declares; null if it is not what it declares. */
async function contentOf(zip: ZipReader, entry: ZipEntry): Promise<Uint8Array | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let sum = 0;
  // Chunks of a stream without types; both libraries' streams have no encoding.
  for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > entry.uncompressedSize) return null;
    sum = crc32(chunk, sum);
    chunks.push(chunk);
  }
  return bytes === entry.uncompressedSize && sum === entry.crc32 ? Buffer.concat(chunks, bytes) : null;
}

async function readEntries(zip: ZipReader, directory: Directory): Promise<ReadContainer> {
  const found: { readonly name: string; readonly entry: ZipEntry; readonly from: number }[] = [];
  for await (const entry of zip.eachEntry()) {
    const judged = judgeEntry(
      entry,
      found.map(({ name }) => name),
    );
    if ('refused' in judged) return judged;
    const local = await zip.readLocalFileHeaderPromise(entry);
    const fault = judgeLocal(entry, local);
    if (fault !== null) return fault;
    found.push({ name: judged.name, entry, from: local.fileDataStart });
  }
  const fault = judgeLayout(found, directory);
  if (fault !== null) return fault;
  const entries = new Map<string, Uint8Array>();
  for (const { name, entry } of found) {
    // What is not read is not inflated either; the manifest says if it may be here.
    // oxlint-disable-next-line no-await-in-loop -- one at a time, for the memory
    const content = isArchiveEntry(name) ? await contentOf(zip, entry) : new Uint8Array();
    if (content === null) return damaged;
    entries.set(name, content);
  }
  return { entries };
}

/** True if the disk failed, and not the archive. */
const isOfDisk = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

/**
 * Reads an archive. Refused as a value is whatever breaks a rule of the container: more than nine entries, other names,
 * an entry twice, folders, links, encryption, zip64, bytes between the parts, sizes over their limits, and content that
 * is not what the directory says. Entries of unknown names are listed without their content. Rejects with the error of
 * the disk.
 */
export async function readContainer(path: string): Promise<ReadContainer> {
  const directory = await judgeEnds(path);
  if ('refused' in directory) return directory;
  let zip: ZipReader | null = null;
  try {
    zip = await zipLibraries().openZip(path, { autoClose: false, decodeStrings: false });
    // Closing the file may fail once nothing reads it any more.
    zip.on('error', () => {});
    return await readEntries(zip, directory);
  } catch (error) {
    if (isOfDisk(error)) throw error;
    return damaged;
  } finally {
    zip?.close();
  }
}
