/** Mono samples of 16 bits, s16le. */
export interface Sound {
  readonly rate: number;
  readonly pcm: Buffer;
}

/** The sound of a RIFF file; throws for anything but 16-bit mono. */
export function parseWav(file: Buffer): Sound {
  for (let at = 12, rate = 0; at + 8 <= file.length;) {
    const [name, length] = [file.toString('latin1', at, at + 4), file.readUInt32LE(at + 4)];
    if (name === 'fmt ') {
      if (file.readUInt16LE(at + 10) !== 1 || file.readUInt16LE(at + 22) !== 16) throw new Error('not 16-bit mono');
      rate = file.readUInt32LE(at + 12);
    }
    if (name === 'data') return { rate, pcm: file.subarray(at + 8, at + 8 + length) };
    at += 8 + length + (length % 2);
  }
  throw new Error('not a WAV');
}

/** A RIFF file of a sound. */
export function wavOf({ rate, pcm }: Sound): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + pcm.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(pcm.length, 40);
  return Buffer.concat([head, pcm]);
}
