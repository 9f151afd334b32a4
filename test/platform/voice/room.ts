import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type PulseServer, pulseServer } from '#test/drivers/volume/pulse-server.ts';
import { AUDIBLE, bestFit, envelopeOf, STEP_MS, trimmed } from './envelope.ts';
import { speak, type Voice } from './flite.ts';
import { shareHeard } from './pieces.ts';
import { type Sound, wavOf } from './wav.ts';

const run = promisify(execFile);

/** Samples a second of what is recorded in the room. */
const RATE = 16_000;

/** Name of the loudspeaker. */
const LOUDSPEAKER = 'room';
/** Name of the microphone, which records what the loudspeaker plays. */
export const MICROPHONE = 'microphone';

/** Stops a recorder or player, and waits until its process is gone. */
export async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

/** A span of the room's recording, in steps of 10 ms since it began. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * A room in a sound server of the test's own: a loudspeaker without hardware, and a microphone that records what it
 * plays. People speak by playing there too. Everything is recorded.
 */
export class Room {
  readonly server: PulseServer;
  readonly #recorder: ChildProcess;
  readonly #blocks: Buffer[];
  readonly #folder: string;

  private constructor(server: PulseServer, recorder: ChildProcess, blocks: Buffer[]) {
    this.server = server;
    this.#recorder = recorder;
    this.#blocks = blocks;
    this.#folder = mkdtempSync(join(tmpdir(), 'sconce-room-'));
  }

  /** Starts the server, and records from then on. */
  static async open(): Promise<Room> {
    const server = await pulseServer(
      `module-null-sink sink_name=${LOUDSPEAKER} rate=48000 channels=2`,
      `module-remap-source master=${LOUDSPEAKER}.monitor source_name=${MICROPHONE} source_properties=device.description=Microphone`,
    );
    await server.pactl('set-default-source', MICROPHONE);
    const blocks: Buffer[] = [];
    const recorder = spawn(
      'parec',
      [
        '-d',
        `${LOUDSPEAKER}.monitor`,
        '--raw',
        '--format=s16le',
        `--rate=${RATE}`,
        '--channels=1',
        '--latency-msec=20',
      ],
      { env: { ...server.env }, stdio: ['ignore', 'pipe', 'ignore'] },
    );
    recorder.stdout.on('data', (block: Buffer) => blocks.push(block));
    await once(recorder.stdout, 'data');
    return new Room(server, recorder, blocks);
  }

  /** Steps of 10 ms recorded so far. */
  get now(): number {
    const bytes = this.#blocks.reduce((sum, block) => sum + block.length, 0);
    return Math.floor(bytes / 2 / (RATE / 1000) / STEP_MS);
  }

  #heard({ from, to }: Span): Sound {
    const bytes = (RATE / 1000) * STEP_MS * 2;
    return { rate: RATE, pcm: Buffer.concat(this.#blocks).subarray(from * bytes, to * bytes) };
  }

  /** How loud it was in the room. */
  envelope(span: Span): readonly number[] {
    return envelopeOf(this.#heard(span));
  }

  /** Which share of the sound was heard since `from`, also from a player that was held up now and then. */
  share(sound: Sound, from: number): number {
    return shareHeard(sound, this.#heard({ from, to: this.now }));
  }

  /** The first step since `from` in which there is sound; undefined for none yet. */
  soundSince(from: number): number | undefined {
    const at = this.envelope({ from, to: this.now }).findIndex((value) => value > AUDIBLE);
    return at < 0 ? undefined : from + at;
  }

  /** Whether there has been no sound for that long. */
  isQuiet(ms: number): boolean {
    const { now } = this;
    return this.envelope({ from: now - ms / STEP_MS, to: now }).every((value) => value <= AUDIBLE);
  }

  /** The place of the recording since `from` that is most like the sound. */
  find(sound: Sound, from: number): Span {
    const pattern = trimmed(envelopeOf(sound));
    const at = from + bestFit(this.envelope({ from, to: this.now }), pattern);
    return { from: at, to: at + pattern.length };
  }

  /** A person speaks; returns when they began and ended, as it was heard. */
  async say(text: string, voice: Voice = 'slt'): Promise<Span> {
    const sound = await speak(text, voice);
    const file = join(this.#folder, 'sentence.wav');
    writeFileSync(file, wavOf(sound));
    const began = this.now;
    await run('paplay', ['-d', LOUDSPEAKER, '--client-name=person', file], { env: { ...this.server.env } });
    return this.find(sound, began);
  }

  /** Ends everything. */
  async close(): Promise<void> {
    await endOf(this.#recorder);
    await this.server.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
