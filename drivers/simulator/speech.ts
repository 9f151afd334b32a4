import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { toolOutput, type ToolEnv } from '#drivers/kit/run-tool.ts';
import { serial } from '#drivers/kit/serial.ts';
import { foreignValue } from '#machines/kit/foreign-json.ts';
import { jsonBounds } from '#machines/kit/json-excess.ts';
import { ok, refuse, type Result } from '#machines/kit/result.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { SayFact, SayOutcome, SayRefusal, SayRequest, SpeechDriver } from '#machines/simulator/events.ts';

import type { SimulatedDevice } from './device.ts';
import { SAID_BYTES_PER_S } from './said-sound.ts';
import { isWav, samplesOf } from './wav.ts';

/** Longest text, in characters: half a minute of speech. */
const TEXT_MAX = 200;
/** Longest run of a program that speaks; 200 characters take flite 0.3 s on a desktop processor. */
const SPEAK_MS: Milliseconds = 10_000;
/** Largest file that is read: the sound that is accepted, and more than a program makes of a text. */
const FILE_BYTES_MAX = 4_194_304;

/** A program that speaks a file into another. The text is never an argument, where every user could read it. */
interface Speaker {
  readonly tool: string;
  readonly args: (text: string, sound: string) => readonly string[];
}

/** The best first; `slt` is the clearest voice that flite has built in. */
const speakers: readonly Speaker[] = [
  { tool: 'flite', args: (text, sound) => ['-voice', 'slt', '-f', text, '-o', sound] },
  { tool: 'espeak-ng', args: (text, sound) => ['-f', text, '-w', sound] },
];

export interface SpeechOptions {
  readonly device: Pick<SimulatedDevice, 'say'>;
  readonly env?: ToolEnv;
  /** Where its files are kept while it speaks. */
  readonly folder?: string;
}

const noProgram: Result<never, SayRefusal> = refuse(
  'no-speech-program',
  'Neither flite nor espeak-ng is installed to speak the text. Run: sudo apt install flite',
);
const failed: Result<never, SayRefusal> = refuse('speech-failed', 'The text could not be spoken. Try a shorter one.');

/** The text of `{"text": ...}`, without control characters. */
function textOf(file: Buffer): Result<string, SayRefusal> {
  const value = foreignValue(file.toString('utf8'), jsonBounds.program);
  const text = typeof value === 'object' && value !== null && 'text' in value ? value.text : null;
  const spoken = typeof text === 'string' ? text.replaceAll(/\p{C}/gu, ' ').trim() : '';
  return spoken === '' || spoken.length > TEXT_MAX
    ? refuse('bad-value', `Send a WAV file, or a JSON object with "text" of 1 to ${TEXT_MAX} characters.`)
    : ok(spoken);
}

/** Speaks with the first program that can, in a folder that only this user can read and that is removed. */
async function speak(
  text: string,
  { env, folder }: Required<Pick<SpeechOptions, 'env' | 'folder'>>,
  signal: AbortSignal,
): Promise<Result<Buffer, SayRefusal>> {
  const own = await mkdtemp(join(folder, 'sconce-speech-'));
  try {
    const [words, sound] = [join(own, 'text'), join(own, 'sound.wav')];
    await writeFile(words, `${text}\n`, { mode: 0o600 });
    let isInstalled = false;
    for (const { tool, args } of speakers) {
      // oxlint-disable-next-line no-await-in-loop -- one program after another
      const ran = await toolOutput(tool, args(words, sound), env, signal, SPEAK_MS);
      isInstalled ||= ran.ok || ran.reason !== 'not-installed';
      if (!ran.ok || !ran.value.endedWell) continue;
      // oxlint-disable-next-line no-await-in-loop -- as above
      const spoken = await readBounded(sound);
      const samples = spoken === null ? null : samplesOf(spoken);
      if (samples?.ok === true) return samples;
    }
    return isInstalled ? failed : noProgram;
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** A file as a whole; null if it is missing or too large. */
async function readBounded(path: string): Promise<Buffer | null> {
  try {
    return (await stat(path)).size > FILE_BYTES_MAX ? null : await readFile(path);
  } catch {
    return null;
  }
}

/** Says texts and sounds to the simulated microphone, one after another. */
export const speechDriver = ({ device, env = process.env, folder = tmpdir() }: SpeechOptions): SpeechDriver =>
  fromDriver<SayRequest, undefined, SayFact>(({ send, onEvent, signal }) => {
    const inTurn = serial();
    async function samplesFrom(path: string): Promise<Result<Buffer, SayRefusal>> {
      const file = await readBounded(path);
      if (file === null) return refuse('speech-failed', 'What was sent could not be read. Try again.');
      if (isWav(file)) return samplesOf(file);
      const text = textOf(file);
      return text.ok ? speak(text.value, { env, folder }, signal) : text;
    }
    async function say(path: string): Promise<SayOutcome> {
      const samples = await samplesFrom(path).catch(() => failed);
      if (!samples.ok) return samples;
      device.say(samples.value);
      return ok({ ms: Math.round((samples.value.length * 1000) / SAID_BYTES_PER_S) });
    }
    onEvent(async ({ requestId, file }) => {
      send({ type: 'simulator.said', requestId, outcome: await inTurn(() => say(file)) });
    });
  });
