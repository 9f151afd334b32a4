interface WavOptions {
  readonly rate?: number;
  readonly channels?: number;
  readonly bits?: number;
  readonly tag?: number;
  /** The length that the file says of its samples. */
  readonly length?: number;
  /** Chunks before the samples, as they are. */
  readonly before?: Buffer;
  /** Bytes of the format chunk beyond the first 16. */
  readonly more?: Buffer;
}

/** A WAV file of these samples, interleaved. */
export function wavFile(samples: readonly number[], options: WavOptions = {}): Buffer {
  const { rate = 16_000, channels = 1, bits = 16, tag = 1, before = Buffer.alloc(0), more = Buffer.alloc(0) } = options;
  const data = Buffer.from(Int16Array.from(samples).buffer);
  const format = Buffer.alloc(16);
  format.writeUInt16LE(tag, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(rate, 4);
  format.writeUInt32LE((rate * channels * 2) % 2 ** 32, 8);
  format.writeUInt16LE(channels * 2, 12);
  format.writeUInt16LE(bits, 14);
  const chunk = (name: string, length: number, content: Buffer): Buffer => {
    const head = Buffer.alloc(8, name, 'latin1');
    head.writeUInt32LE(length, 4);
    return Buffer.concat([head, content]);
  };
  const content = [
    Buffer.from('WAVE'),
    chunk('fmt ', 16 + more.length, Buffer.concat([format, more])),
    before,
    chunk('data', options.length ?? data.length, data),
  ];
  return chunk('RIFF', 0, Buffer.concat(content));
}
