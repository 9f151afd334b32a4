import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** How long a program may take to end after SIGTERM before it is killed, in milliseconds. */
const endWithinMs = 15_000;

/** One program that a test started: its output, and its end by process id. */
export class Program {
  readonly #child: ChildProcess;
  #output = '';
  readonly #lines: { readonly at: number; readonly text: string }[] = [];
  /** Process that signals go to, where it is not the child itself (a program behind sudo). */
  #pid: number | undefined;

  constructor(
    command: string,
    args: readonly string[],
    options: { readonly env?: NodeJS.ProcessEnv; readonly cwd?: string } = {},
  ) {
    this.#child = spawn(command, [...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const keep = (chunk: Buffer): void => {
      const text = chunk.toString();
      this.#output += text;
      for (const line of text.split('\n')) if (line !== '') this.#lines.push({ at: performance.now(), text: line });
    };
    this.#child.stdout?.on('data', keep);
    this.#child.stderr?.on('data', keep);
    this.#child.on('error', (error) => keep(Buffer.from(`${error.message}\n`)));
  }

  /** Everything it has printed on both streams. */
  get output(): string {
    return this.#output;
  }

  /**
   * When a line matching `pattern` was last printed at or after `since` (both on the clock of `performance.now()`);
   * undefined for never.
   */
  printedAt(pattern: RegExp, since = 0): number | undefined {
    return this.#lines.findLast((line) => line.at >= since && pattern.test(line.text))?.at;
  }

  /** Whether it still runs. */
  get runs(): boolean {
    return this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Sends signals to `pid` instead of the child. */
  answersTo(pid: number): void {
    this.#pid = pid;
  }

  async #gone(withinMs: number): Promise<boolean> {
    if (!this.runs) return true;
    const abort = AbortSignal.timeout(withinMs);
    return once(this.#child, 'exit', { signal: abort }).then(
      () => true,
      () => !this.runs,
    );
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#pid === undefined) this.#child.kill(signal);
    else if (this.runs) process.kill(this.#pid, signal);
  }

  /** SIGSTOP: it keeps its sockets and answers nothing. */
  freeze(): void {
    this.#signal('SIGSTOP');
  }

  /** SIGCONT after `freeze`. */
  thaw(): void {
    this.#signal('SIGCONT');
  }

  /** Process id that signals go to. */
  get pid(): number | undefined {
    return this.#pid ?? this.#child.pid;
  }

  /** SIGKILL, and waits until it is gone. */
  async kill(): Promise<void> {
    if (this.runs) this.#signal('SIGKILL');
    await this.#gone(endWithinMs);
  }

  /** Waits until it has ended by itself; it is killed where that takes too long. */
  async ended(): Promise<void> {
    if (!(await this.#gone(endWithinMs))) await this.kill();
  }

  /** SIGTERM, then SIGKILL when that does not help; tells whether it did. */
  async end(): Promise<boolean> {
    if (this.runs) this.#signal('SIGTERM');
    if (await this.#gone(endWithinMs)) return true;
    await this.kill();
    return false;
  }
}
