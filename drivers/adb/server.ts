import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { toolEnv } from '#drivers/kit/run-tool.ts';
import { ok, refuse, type Result } from '#machines/kit/result.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

/** Why the bridge gave no answer. */
export type AdbRefusal = 'no-bridge' | 'no-answer' | 'refused' | 'too-long';

/** Most taken of one answer: a picture of a large screen is about 10 MB. */
const ANSWER_LIMIT = 32 * 1024 * 1024;
/** Longest path of a Unix socket (unix(7)). */
const PATH_LIMIT = 107;
/** Pause between two tries to reach a server that was just started and does not listen yet. */
const LISTEN_MS: Milliseconds = 50;
/** Has the kernel end a program with the process that started it (util-linux, which every Debian has). */
const SETPRIV = '/usr/bin/setpriv';

/**
 * The server by which devices are reached; a killed agent must not leave one behind, since it would hold the USB device
 * of the next.
 */
function command(socket: string): readonly [string, readonly string[]] {
  const server = ['-L', `localfilesystem:${socket}`, 'nodaemon', 'server'];
  return existsSync(SETPRIV) ? [SETPRIV, ['--pdeathsig', 'KILL', 'adb', ...server]] : ['adb', server];
}

/**
 * The bridge's own server, as a child of the agent: on a socket in a folder of its own, so that it neither meets
 * another user's server nor outlives the agent, and with a key of its own that the panel allows once.
 */
export class AdbServer {
  readonly #folder: string;
  readonly #socket: string;
  #child: ChildProcess | null = null;

  /** `folder` is made when the server first starts; it keeps the key. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#socket = join(folder, 'server');
  }

  /** Starts the server unless it runs; false where it cannot be started. */
  start(onEnd: () => void): boolean {
    if (this.#child !== null) return true;
    if (Buffer.byteLength(this.#socket) > PATH_LIMIT) return false;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    rmSync(this.#socket, { force: true });
    const child = spawn(...command(this.#socket), {
      env: { ...toolEnv(process.env), HOME: this.#folder, ADB_MDNS_AUTO_CONNECT: '0' },
      stdio: 'ignore',
    });
    this.#child = child;
    const end = (): void => {
      if (this.#child !== child) return;
      this.#child = null;
      onEnd();
    };
    child.once('error', end);
    child.once('exit', end);
    return true;
  }

  /** Ends the server; nothing is left of it. */
  stop(): void {
    const child = this.#child;
    this.#child = null;
    child?.kill('SIGKILL');
    rmSync(this.#socket, { force: true });
  }

  /** Asks the server itself: `devices`, `connect:HOST:PORT`. */
  ask(service: string, signal: AbortSignal, boundMs: Milliseconds): Promise<Result<string, AdbRefusal>> {
    return this.#exchange([`host:${service}`], signal, boundMs).then((answer) =>
      answer.ok ? ok(answer.value.subarray(4).toString('utf8')) : answer,
    );
  }

  /** Opens a service of one device and reads its answer to the end. */
  open(
    serial: string,
    service: string,
    signal: AbortSignal,
    boundMs: Milliseconds,
  ): Promise<Result<Buffer, AdbRefusal>> {
    return this.#exchange([`host:transport:${serial}`, service], signal, boundMs);
  }

  /**
   * Opens a service of one device and leaves it as soon as the device has granted it, for one that never ends by
   * itself.
   */
  begin(
    serial: string,
    service: string,
    signal: AbortSignal,
    boundMs: Milliseconds,
  ): Promise<Result<Buffer, AdbRefusal>> {
    return this.#exchange([`host:transport:${serial}`, service], signal, boundMs, 'granted');
  }

  /** Whether the server listens; waited for, since one that was just started takes a moment. */
  async listens(signal: AbortSignal, boundMs: Milliseconds): Promise<boolean> {
    const until = performance.now() + boundMs;
    while (this.#child !== null && !signal.aborted && performance.now() < until) {
      if (existsSync(this.#socket)) return true;
      await setTimeout(LISTEN_MS);
    }
    return false;
  }

  /**
   * Requests one after the other on one connection; each is granted with OKAY, and what follows the last is the answer.
   */
  #exchange(
    requests: readonly string[],
    signal: AbortSignal,
    boundMs: Milliseconds,
    last: 'answered' | 'granted' = 'answered',
  ): Promise<Result<Buffer, AdbRefusal>> {
    if (this.#child === null) return Promise.resolve(refuse('no-bridge', 'The bridge does not run.'));
    return new Promise((resolve) => {
      const socket: Socket = createConnection(this.#socket);
      const pending = [...requests];
      let head = Buffer.alloc(0);
      const answer: Buffer[] = [];
      let taken = 0;
      const finish = (outcome: Result<Buffer, AdbRefusal>): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        socket.destroy();
        resolve(outcome);
      };
      const abort = (): void => finish(refuse('no-answer', 'The bridge was not waited for.'));
      const timer = globalThis.setTimeout(abort, boundMs);
      signal.addEventListener('abort', abort, { once: true });
      const next = (): void => {
        const request = pending.shift();
        if (request !== undefined)
          socket.write(`${Buffer.byteLength(request).toString(16).padStart(4, '0')}${request}`);
      };
      let open = requests.length;
      socket.once('connect', next);
      socket.on('data', (chunk: Buffer) => {
        taken += chunk.length;
        if (taken > ANSWER_LIMIT) finish(refuse('too-long', 'The answer is longer than any answer is.'));
        if (open === 0) {
          answer.push(chunk);
          return;
        }
        head = Buffer.concat([head, chunk]);
        while (open > 0 && head.length >= 4) {
          const granted = head.subarray(0, 4).toString('latin1') === 'OKAY';
          head = head.subarray(4);
          open -= 1;
          if (!granted) {
            finish(refuse('refused', 'The device refused it.'));
            return;
          }
          next();
        }
        if (open > 0) return;
        if (last === 'granted') finish(ok(head));
        else answer.push(head);
      });
      socket.once('error', () => finish(refuse('no-bridge', 'The bridge does not answer.')));
      socket.once('close', () =>
        finish(open > 0 ? refuse('no-answer', 'The bridge broke off.') : ok(Buffer.concat(answer))),
      );
    });
  }
}
