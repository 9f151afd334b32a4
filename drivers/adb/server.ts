import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { boundProgram } from '#drivers/kit/bound-program.ts';
import { toolEnv } from '#drivers/kit/run-tool.ts';
import { ok, refuse, type Result } from '#machines/kit/result.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

/** Why the bridge gave no answer. */
export type AdbRefusal = 'no-bridge' | 'no-answer' | 'refused' | 'too-long';

/** Largest answer in bytes; a screenshot of a large screen is about 10 MB. */
const ANSWER_LIMIT = 32 * 1024 * 1024;
/** Longest path of a Unix socket, in bytes (unix(7)). */
const PATH_LIMIT = 107;
/** Pause between two checks whether a server that has just started listens yet. */
const LISTEN_MS: Milliseconds = 50;

/**
 * The command line of the server. A killed agent must not leave one behind: it would keep the USB device from the next.
 */
function command(socket: string): readonly [string, readonly string[]] {
  return boundProgram('adb', ['-L', `localfilesystem:${socket}`, 'nodaemon', 'server']);
}

/**
 * The bridge's own server, a child of the agent. Its private socket keeps it apart from other users' servers; its
 * private key is what the owner allows once on the panel.
 */
export class AdbServer {
  readonly #folder: string;
  readonly #socket: string;
  #child: ChildProcess | null = null;

  /** `folder` holds the key; it is created when the server first starts. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#socket = join(folder, 'server');
  }

  /** Starts the server unless it runs; false if the path of its socket is too long. `onEnd` is called when it exits. */
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

  /** Kills the server and removes its socket. */
  stop(): void {
    const child = this.#child;
    this.#child = null;
    child?.kill('SIGKILL');
    rmSync(this.#socket, { force: true });
  }

  /** Sends a request to the server itself: `devices`, `connect:HOST:PORT`. */
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

  /** Opens a service of one device and disconnects once the device has granted it, for services that never end. */
  begin(
    serial: string,
    service: string,
    signal: AbortSignal,
    boundMs: Milliseconds,
  ): Promise<Result<Buffer, AdbRefusal>> {
    return this.#exchange([`host:transport:${serial}`, service], signal, boundMs, 'granted');
  }

  /** True once the server listens; polls for up to `boundMs`, since a new server takes a moment. */
  async listens(signal: AbortSignal, boundMs: Milliseconds): Promise<boolean> {
    const until = performance.now() + boundMs;
    while (this.#child !== null && !signal.aborted && performance.now() < until) {
      if (existsSync(this.#socket)) return true;
      await setTimeout(LISTEN_MS);
    }
    return false;
  }

  /** Sends requests one by one on a single connection. Each is granted with OKAY; the answer follows the last one. */
  #exchange(
    requests: readonly string[],
    signal: AbortSignal,
    boundMs: Milliseconds,
    last: 'answered' | 'granted' = 'answered',
  ): Promise<Result<Buffer, AdbRefusal>> {
    if (this.#child === null) return Promise.resolve(refuse('no-bridge', 'The bridge is not running.'));
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
      const abort = (): void => finish(refuse('no-answer', 'The bridge took too long, or the request was given up.'));
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
        if (taken > ANSWER_LIMIT) finish(refuse('too-long', 'The answer is too long.'));
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
        finish(open > 0 ? refuse('no-answer', 'The bridge closed the connection early.') : ok(Buffer.concat(answer))),
      );
    });
  }
}
