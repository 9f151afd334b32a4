import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseWav, type Sound } from './wav.ts';

const run = promisify(execFile);

/** The voices of flite that the recogniser understands; they speak at 16 kHz. */
export const voices = ['rms', 'slt', 'awb'] as const;
export type Voice = (typeof voices)[number];

/** Speaks a text. */
export async function speak(text: string, voice: Voice): Promise<Sound> {
  const folder = await mkdtemp(join(tmpdir(), 'sconce-flite-'));
  try {
    const [words, sound] = [join(folder, 'words'), join(folder, 'sound.wav')];
    await writeFile(words, text);
    await run('flite', ['-voice', voice, '-f', words, '-o', sound]);
    return parseWav(await readFile(sound));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
