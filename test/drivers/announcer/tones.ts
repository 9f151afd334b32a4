import { type ChildProcess, spawn } from 'node:child_process';

import type { PulseServer } from '../volume/pulse-server.ts';

const RATE = 44_100;

/** A mono 16-bit WAV of one sine. */
export function wav(hertz: number, seconds: number, loudness = 0.3): Buffer {
  const count = Math.round(RATE * seconds);
  const file = Buffer.alloc(44 + count * 2);
  file.write('RIFF', 0);
  file.writeUInt32LE(36 + count * 2, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(RATE, 24);
  file.writeUInt32LE(RATE * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36);
  file.writeUInt32LE(count * 2, 40);
  for (let n = 0; n < count; n += 1)
    file.writeInt16LE(Math.round(32_767 * loudness * Math.sin((2 * Math.PI * hertz * n) / RATE)), 44 + n * 2);
  return file;
}

/** Loudness of one frequency in a block of samples, 0 to 1 (Goertzel's algorithm). */
function loudnessOf(samples: Int16Array, hertz: number): number {
  const turn = 2 * Math.cos((2 * Math.PI * hertz) / RATE);
  let one = 0;
  let two = 0;
  for (const sample of samples) [two, one] = [one, sample / 32_768 + turn * one - two];
  return (2 * Math.sqrt(Math.max(0, one * one + two * two - turn * one * two))) / samples.length;
}

/** One block of what the output plays: when its last sample was heard, and how loud each frequency was in it. */
interface Heard {
  /** Milliseconds of `performance.now()`. */
  readonly at: number;
  readonly loudness: ReadonlyMap<number, number>;
}

/** Ears at the monitor of an output. */
export interface Ears {
  readonly heard: readonly Heard[];
  /** When a frequency was last heard before now, in milliseconds of `performance.now()`; -1 for never. */
  readonly last: (hertz: number) => number;
  readonly end: () => Promise<void>;
}

/** Samples per block: 20 ms. */
const BLOCK = 882;

/** What counts as heard; a sine of loudness 0.3 reads 0.3. */
export const AUDIBLE = 0.02;

/** Listens to the monitor of the output `panel`; resolves when the first samples came. */
export async function listen(server: PulseServer, ...tones: readonly number[]): Promise<Ears> {
  const heard: Heard[] = [];
  let rest = Buffer.alloc(0);
  const child: ChildProcess = spawn(
    'parec',
    ['-d', 'panel.monitor', '--format=s16le', `--rate=${RATE}`, '--channels=1', '--latency-msec=20', '--raw'],
    {
      env: { ...server.env },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.stdout?.on('data', (chunk: Buffer) => {
      const at = performance.now();
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= BLOCK * 2) {
        const samples = new Int16Array(BLOCK);
        for (let n = 0; n < BLOCK; n += 1) samples[n] = rest.readInt16LE(n * 2);
        rest = rest.subarray(BLOCK * 2);
        heard.push({ at, loudness: new Map(tones.map((hertz) => [hertz, loudnessOf(samples, hertz)])) });
      }
      resolve();
    });
  });
  return {
    heard,
    last: (hertz) => heard.findLast(({ loudness }) => (loudness.get(hertz) ?? 0) > AUDIBLE)?.at ?? -1,
    end: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) resolve();
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}
