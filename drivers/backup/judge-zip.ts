import { open } from 'node:fs/promises';

import type { ArchiveRefusal } from '#machines/backup/events.ts';
import {
  archiveEntries,
  isArchiveEntry,
  MANIFEST,
  MOST_ARCHIVE_BYTES,
  MOST_ENTRIES,
} from '#machines/kit/archive-entries.ts';

import type { ZipEntry, ZipLocalHeader } from './zip-libraries.ts';

// The rules of the container, beyond those of the library: one form of a zip file, which leaves nothing to interpret.

interface Refusal {
  readonly refused: ArchiveRefusal;
  /** One plain sentence. */
  readonly message: string;
}

const bad = (message: string): Refusal => ({ refused: 'bad-archive', message: `The backup is refused: ${message}.` });

const stray = bad('it has bytes that belong to no entry');

/** Where the list of all entries is. */
export interface Directory {
  readonly offset: number;
  readonly bytes: number;
}

/** Sizes and signatures of the format (APPNOTE.TXT 4.3). */
const END_BYTES = 22;
const LOCATOR_BYTES = 20;
const LOCAL_BYTES = 30;
const RECORD_BYTES = 46;
const sign = { local: 0x04034b50, end: 0x06054b50, locator: 0x07064b50 } as const;

/** The file's last bytes: one directory right before them, no comment, no zip64. */
function judgeTail(tail: Buffer, size: number): Directory | Refusal {
  const at = tail.length - END_BYTES;
  if (at < 0 || tail.readUInt32LE(at) !== sign.end) return bad('it does not end as an archive does, so it may be cut');
  const isZip64 = at >= LOCATOR_BYTES && tail.readUInt32LE(at - LOCATOR_BYTES) === sign.locator;
  const [disk, diskOfDirectory, here, entries] = [4, 6, 8, 10].map((offset) => tail.readUInt16LE(at + offset));
  const [bytes, offset] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
  if (isZip64 || entries === 0xffff || offset === 0xffffffff) return bad('it is in the format for huge archives');
  if (disk !== 0 || diskOfDirectory !== 0 || here !== entries) return bad('it is one of several parts');
  if ((entries ?? 0) > MOST_ENTRIES) return bad(`it has more than ${MOST_ENTRIES} entries`);
  if (entries === 0) return bad('it is empty');
  return tail.readUInt16LE(at + 20) === 0 && offset + bytes === size - END_BYTES ? { offset, bytes } : stray;
}

function judgeHead(head: Buffer): Refusal | null {
  if (head.length >= 4 && head.readUInt32LE(0) === sign.local) return null;
  const text = head.toString('latin1');
  if (text === 'HPB1') return { refused: 'passphrase-required', message: 'This backup needs its passphrase.' };
  if (/^\s*\{/.test(text))
    return {
      refused: 'another-product',
      message: 'This is a JSON file and not a backup. A bundle of the configuration is imported, not restored.',
    };
  return bad('it is neither an encrypted (.hpb) nor a plain (.zip) archive');
}

/** Judges the first and the last bytes of a file: it may be opened if it has a directory. Rejects as the disk does. */
export async function judgeEnds(path: string): Promise<Directory | Refusal> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    if (size > MOST_ARCHIVE_BYTES)
      return { refused: 'too-large', message: `The backup is larger than ${MOST_ARCHIVE_BYTES / 1_048_576} MiB.` };
    const read = async (length: number, at: number): Promise<Buffer> => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
      return buffer.subarray(0, bytesRead);
    };
    const length = Math.min(size, END_BYTES + LOCATOR_BYTES);
    return judgeHead(await read(4, 0)) ?? judgeTail(await read(length, size - length), size);
  } finally {
    await file.close();
  }
}

/** Lower-case letters, digits and `. _ / -`, 1 to 128 (as panel-assistant); no segment is empty, `.` or `..`. */
const namePattern = /^(?!.{129})(?:(?!\.{1,2}(?:\/|$))[a-z0-9._-]+)(?:\/(?!\.{1,2}(?:\/|$))[a-z0-9._-]+)*$/;

/** Flags that change nothing: how hard it was compressed, sizes after the content, names in UTF-8. */
const HARMLESS_FLAGS = 0x080e;
/** Encrypted, strongly encrypted, or with a masked directory. */
const ENCRYPTED_FLAGS = 0x2041;
const SIZES_AFTER = 0x0008;
const [STORED, DEFLATED] = [0, 8];
const ZIP64_FIELD = 0x0001;
/** The type of a file in the upper half of its attributes (stat(2)), and that of a plain file; folders of DOS. */
const TYPE_MASK = 0o170000;
const PLAIN_FILE = 0o100000;
const DOS_FOLDER = 0x10;

function faultOf(entry: ZipEntry): string | null {
  const { generalPurposeBitFlag: flags, compressionMethod: method, externalFileAttributes: attributes } = entry;
  const type = (attributes >>> 16) & TYPE_MASK;
  if ((type !== 0 && type !== PLAIN_FILE) || (attributes & DOS_FOLDER) !== 0)
    return 'it has a link, a folder or a device in it';
  if ((flags & ENCRYPTED_FLAGS) !== 0) return 'an entry is encrypted by itself';
  if ((flags & ~HARMLESS_FLAGS) !== 0 || (method !== STORED && method !== DEFLATED))
    return 'an entry is packed in an unknown way';
  const isHuge = entry.compressedSize >= 0xffffffff || entry.uncompressedSize >= 0xffffffff;
  return isHuge || entry.extraFields.some(({ id }) => id === ZIP64_FIELD)
    ? 'an entry is in the format for huge files'
    : null;
}

/** Judges an entry of the directory, given the names before it: its name, or why the archive is refused. */
export function judgeEntry(entry: ZipEntry, before: readonly string[]): { readonly name: string } | Refusal {
  const name = entry.fileNameRaw.toString('latin1');
  if (!namePattern.test(name)) return bad('an entry has a name that no backup has');
  if (before.length === 0 && name !== MANIFEST) return bad(`it does not begin with ${MANIFEST}`);
  if (before.includes(name)) return bad(`it has ${name} twice`);
  const fault = faultOf(entry);
  if (fault !== null) return bad(fault);
  if (isArchiveEntry(name) && entry.uncompressedSize > archiveEntries[name])
    return { refused: 'too-large', message: `The backup is refused: ${name} is larger than it may be.` };
  return { name };
}

/** Judges the header right before an entry's bytes: it must say what the directory says. */
export function judgeLocal(entry: ZipEntry, local: ZipLocalHeader): Refusal | null {
  const isSame = (['crc32', 'compressedSize', 'uncompressedSize'] as const).every(
    (field) =>
      local[field] === entry[field] || ((entry.generalPurposeBitFlag & SIZES_AFTER) !== 0 && local[field] === 0),
  );
  return isSame &&
    local.fileName.equals(entry.fileNameRaw) &&
    local.generalPurposeBitFlag === entry.generalPurposeBitFlag &&
    local.compressionMethod === entry.compressionMethod
    ? null
    : bad('its directory says other things of an entry than the entry itself');
}

/**
 * Judges where the entries are: each begins after the one before it has ended, the directory after all of them, and it
 * has nothing else.
 */
export function judgeLayout(
  found: readonly { readonly entry: ZipEntry; readonly from: number }[],
  directory: Directory,
): Refusal | null {
  let end = 0;
  let bytes = 0;
  for (const { entry, from } of found) {
    const begin = entry.relativeOffsetOfLocalHeader;
    if (begin < end || from < begin + LOCAL_BYTES) return bad('its entries overlap');
    end = from + entry.compressedSize;
    bytes += RECORD_BYTES + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
  }
  return end <= directory.offset && bytes === directory.bytes ? null : stray;
}
