import { crc32, deflateRawSync } from 'node:zlib';

/** An entry as it is written by hand: whatever is given replaces what would be true. */
export interface HandEntry {
  readonly name: string;
  readonly content?: Uint8Array | string;
  readonly method?: number;
  readonly flags?: number;
  /** Upper half: type and rights of a file; lower half: attributes of DOS. */
  readonly attributes?: number;
  /** Sizes and sum, in both headers. */
  readonly size?: number;
  readonly packed?: number;
  readonly sum?: number;
  /** The same in the header before the bytes alone, and its name. */
  readonly local?: { readonly size?: number; readonly name?: string; readonly flags?: number };
  /** An extra field of the directory. */
  readonly extra?: Buffer;
  /** Where the directory says that the entry begins. */
  readonly offset?: number;
}

/** The end of the file as it is written by hand. */
export interface HandEnd {
  readonly count?: number;
  readonly here?: number;
  readonly disk?: number;
  readonly comment?: string;
  /** Bytes between the directory and its end. */
  readonly gap?: Buffer;
  /** Bytes after everything. */
  readonly after?: Buffer;
  readonly offset?: number;
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value & 0xffff);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

interface Made {
  readonly local: Buffer;
  readonly central: (at: number) => Buffer;
}

function make(entry: HandEntry): Made {
  const { name, method = 8, flags = 0, attributes = 0o100600 * 0x10000, extra = Buffer.alloc(0), local = {} } = entry;
  const content = Buffer.from(entry.content ?? '');
  const bytes = method === 8 ? deflateRawSync(content) : content;
  const [sum, packed] = [entry.sum ?? crc32(content), entry.packed ?? bytes.length];
  const size = entry.size ?? content.length;
  const fields = (of: { readonly flags: number; readonly size: number }): Buffer =>
    Buffer.concat([u16(20), u16(of.flags), u16(method), u32(0x21_0000), u32(sum), u32(packed), u32(of.size)]);
  const title = Buffer.from(name, 'latin1');
  const localTitle = Buffer.from(local.name ?? name, 'latin1');
  return {
    local: Buffer.concat([
      u32(0x04034b50),
      fields({ flags: local.flags ?? flags, size: local.size ?? size }),
      u16(localTitle.length),
      u16(0),
      localTitle,
      bytes,
    ]),
    central: (at) =>
      Buffer.concat([
        u32(0x02014b50),
        u16(0x0314),
        fields({ flags, size }),
        u16(title.length),
        u16(extra.length),
        Buffer.alloc(6),
        u32(attributes),
        u32(entry.offset ?? at),
        title,
        extra,
      ]),
  };
}

/** The bytes of a zip file, written without a library. */
export function zipBytes(entries: readonly HandEntry[], end: HandEnd = {}): Buffer {
  const made = entries.map(make);
  let at = 0;
  const central = made.map(({ local, central: of }) => {
    const record = of(at);
    at += local.length;
    return record;
  });
  const directory = Buffer.concat(central);
  const { count = entries.length, comment = '', gap = Buffer.alloc(0), after = Buffer.alloc(0), disk = 0 } = end;
  return Buffer.concat([
    ...made.map(({ local }) => local),
    directory,
    gap,
    u32(0x06054b50),
    u16(disk),
    u16(0),
    u16(end.here ?? count),
    u16(count),
    u32(directory.length),
    u32(end.offset ?? at),
    u16(comment.length),
    Buffer.from(comment, 'latin1'),
    after,
  ]);
}
