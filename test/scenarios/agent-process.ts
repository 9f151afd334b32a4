import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, refuseMismatch, until } from './live-agent.ts';

/** The bundle that users start. */
export const bundle = fileURLToPath(new URL('../../dist/sconce.cjs', import.meta.url));

/** How an agent is started as a process of its own. */
export interface ProcessOptions {
  /** What is started; the bundle when left out. */
  readonly program?: string;
  readonly data?: string;
  readonly port?: number;
  /** Profile that it is told to use, the simulated one when left out; null for the stored selection. */
  readonly profile?: string | null;
  /** What comes before `node`, such as strace and its options. */
  readonly wrapper?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Exit status and signal of a process that has ended. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A running agent process. */
export interface AgentProcess {
  readonly child: ChildProcess;
  readonly url: string;
  readonly port: number;
  readonly data: string;
  /** Everything it has written to standard output and standard error. */
  readonly output: () => string;
  /** Exit status and signal, once it has ended. */
  readonly ended: Promise<ProcessEnd>;
  readonly kill: (signal?: NodeJS.Signals) => Promise<ProcessEnd>;
}

const folders: string[] = [];
const running = new Set<ChildProcess>();
const outputs: (() => string)[] = [];

/** A data folder of one's own. */
export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-process-'));
  folders.push(folder);
  return folder;
}

/** Ends what a test left running, by pid, and removes the folders. */
export function clearAway(): void {
  for (const child of running) child.kill('SIGKILL');
  for (const folder of folders.splice(0))
    rmSync(folder, { recursive: true, force: true, maxRetries: 40, retryDelay: 50 });
  for (const output of outputs.splice(0)) refuseMismatch(output());
}

/** Starts the bundle without waiting for anything. */
export async function spawnAgent(options: ProcessOptions = {}): Promise<AgentProcess> {
  const data = options.data ?? ownFolder();
  const port = options.port ?? (await freePort());
  const profile = options.profile === undefined ? 'simulated' : options.profile;
  const command = [
    ...(options.wrapper ?? []),
    process.execPath,
    options.program ?? bundle,
    'run',
    '--data',
    data,
    '--port',
    String(port),
    ...(profile === null ? [] : ['--profile', profile]),
    '--no-discovery',
    ...(options.args ?? []),
  ];
  const child = spawn(command[0] ?? '', command.slice(1), {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Several agents of one machine do not share the port of the contract.
    env: { ...process.env, SCONCE_STREAM_PORT: '0', ...options.env },
  });
  running.add(child);
  let text = '';
  outputs.push(() => text);
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.on('close', (code, signal) => {
      running.delete(child);
      resolve({ code, signal });
    });
  });
  return {
    child,
    url: `http://127.0.0.1:${port}`,
    port,
    data,
    output: () => text,
    ended,
    kill: (signal = 'SIGKILL') => {
      child.kill(signal);
      return ended;
    },
  };
}

/** What is wrong when a process ended before it answered. */
export function endedEarly({ code, signal }: ProcessEnd, output: string): Error {
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
  return new Error(`the agent ended ${how} before it answered; it said last:\n${output.trimEnd().slice(-2000)}`);
}

/** Starts the bundle and waits until it answers and has read its settings; fails at once when it ends before. */
export async function startAgent(options: ProcessOptions = {}): Promise<AgentProcess> {
  const agent = await spawnAgent(options);
  let end: ProcessEnd | undefined;
  void agent.ended.then((how) => (end = how));
  await until(
    () => `an answer of the agent, which said: ${agent.output()}`,
    async () => {
      if (end !== undefined) throw endedEarly(end, agent.output());
      try {
        return (await fetch(`${agent.url}/api/v1/config`)).ok;
      } catch {
        return false;
      }
    },
    15_000,
  );
  return agent;
}
