import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { cache } from '../home-assistant/folder.ts';

const program = fileURLToPath(new URL('recogniser.py', import.meta.url));
/** The Python that `install.sh` made. */
const python = join(cache, 'pocketsphinx-5.1.1/bin/python3');

/** Turns speech into the sentences of one grammar: what is none of them becomes the nearest, or nothing. */
export class Recogniser {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #waiting: ((line: string) => void)[] = [];

  private constructor(child: ChildProcess, folder: string) {
    this.#child = child;
    this.#folder = folder;
    if (child.stdout) createInterface(child.stdout).on('line', (line) => this.#waiting.shift()?.(line));
    // The exit tells those that wait.
    child.stdin?.on('error', () => undefined);
  }

  /** Starts one for these sentences of lower-case words. */
  static async start(sentences: readonly string[]): Promise<Recogniser> {
    if (!existsSync(python)) throw new Error(`the recogniser is not installed: test/platform/install.sh ${cache}`);
    const folder = mkdtempSync(join(tmpdir(), 'sconce-recogniser-'));
    const grammar = join(folder, 'sentences.jsgf');
    writeFileSync(grammar, `#JSGF V1.0;\ngrammar house;\npublic <sentence> = ${sentences.join(' | ')};\n`);
    const child = spawn(python, [program, grammar], { stdio: ['pipe', 'pipe', 'inherit'] });
    const recogniser = new Recogniser(child, folder);
    const ready = await recogniser.#line();
    if (ready !== 'ready') throw new Error(`the recogniser said ${ready}`);
    return recogniser;
  }

  #line(): Promise<string> {
    return new Promise((resolve, reject) => {
      const ended = (): void => reject(new Error('the recogniser ended'));
      if (this.#child.exitCode !== null) ended();
      this.#child.once('exit', ended);
      this.#waiting.push((line) => {
        this.#child.off('exit', ended);
        resolve(line);
      });
    });
  }

  /** The words of s16le mono samples at 16 kHz; "" for none. */
  hear(pcm: Buffer): Promise<string> {
    const head = Buffer.alloc(4);
    head.writeUInt32LE(pcm.length);
    this.#child.stdin?.write(Buffer.concat([head, pcm]));
    return this.#line();
  }

  /** Ends it. */
  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const exit = once(this.#child, 'exit');
      this.#child.kill('SIGKILL');
      await exit;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
