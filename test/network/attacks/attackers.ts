import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { makeNet, paths, type RoutedServer } from '../routed.ts';

const run = promisify(execFile);
const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const proberProgram = beside('prober.mjs');

/** One attack, restarted for each connection that the server cuts. */
export interface Attack {
  readonly name: string;
  /** From how many addresses. */
  readonly addresses: number;
  /** Connections of each address, and requests that each sends at once, without ever reading. */
  readonly connections: number;
  readonly requests: number;
  readonly path: string;
  /** Whether it stays connected; else it hangs up as soon as everything is sent. */
  readonly keeps: boolean;
}

/** A program of the attacker that runs until it is ended. */
export interface Running {
  /** How many lines it has printed. */
  readonly lines: () => number;
  readonly printed: () => string;
  readonly end: () => Promise<void>;
}

/** A machine of its own beside the server and its neighbour. */
export interface Attacker {
  /** Its address, as the server sees it. */
  readonly address: string;
  /** Starts a command there at nice 10, and waits for its first line. */
  readonly start: (command: readonly string[]) => Promise<Running>;
  /** The same with a program beside this file and what it is told. */
  readonly runs: (program: string, told: object) => Promise<Running>;
  /** Attacks the web server until it is ended. */
  readonly attack: (attack: Attack) => Promise<Running>;
  readonly remove: () => Promise<void>;
}

const prefix = '10.0.9';

/** Puts a machine with several addresses, from 10.0.9.2 on, onto a network that it shares with the server alone. */
export async function addAttacker(server: RoutedServer, port: number, count = 4): Promise<Attacker> {
  const net = await makeNet();
  const inside = (on: Pick<RoutedServer, 'onServer'> | null, line: string): Promise<unknown> => {
    const [command, ...words] = (on?.onServer ?? net.inside)('ip', ...line.split(' '));
    return run(command, words);
  };
  await inside(server, `link add foe type veth peer name foe netns ${net.pid}`);
  await inside(server, `addr add ${prefix}.1/24 dev foe`);
  await inside(server, 'link set foe up');
  for (let index = 0; index < count; index += 1) await inside(null, `addr add ${prefix}.${index + 2}/24 dev foe`);
  for (const link of ['lo', 'foe']) await inside(null, `link set ${link} up`);
  const start = async (words: readonly string[]): Promise<Running> => {
    const [command, ...rest] = net.inside('nice', '-n', '10', ...words);
    const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = once(child, 'exit');
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => (printed += text.toString()));
    await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), ended]);
    if (child.exitCode !== null) throw new Error(`${words.join(' ')} ended by itself: ${printed}`);
    return {
      printed: () => printed,
      lines: () => printed.split('\n').length - 1,
      end: async () => {
        child.kill('SIGKILL');
        await ended;
      },
    };
  };
  const runs = (program: string, told: object): Promise<Running> =>
    start([process.execPath, beside(program), JSON.stringify(told)]);
  return {
    address: `${prefix}.2`,
    start,
    runs,
    attack: ({ addresses, connections, requests, path, keeps }) => {
      const from = Array.from({ length: addresses }, (_, index) => `${prefix}.${index + 2}`);
      return runs('attacker.mjs', { from, to: `${prefix}.1`, port, connections, requests, path, keeps });
    },
    remove: net.remove,
  };
}

/** How 200 probes of the neighbour went. */
export interface Probes {
  /** Those without an answer. */
  readonly refused: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly longestMs: number;
}

/** Asks for `/health` from the neighbour, one after the other. */
export async function probe(server: RoutedServer, port: number, count = 200): Promise<Probes> {
  const words = JSON.stringify({ ...paths.lan, port, count });
  const [command, ...rest] = server.onNeighbour(process.execPath, proberProgram, words);
  const { stdout } = await run(command, rest);
  const times = JSON.parse(stdout) as readonly (number | null)[];
  if (times.length !== count) throw new Error(`${times.length} probes instead of ${count}`);
  const sorted = times.filter((time) => time !== null).toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? -1;
  return { refused: count - sorted.length, medianMs: at(0.5), p99Ms: at(0.99), longestMs: at(1) };
}
