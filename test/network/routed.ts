import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { parseResponse, type WireResponse } from './wire.ts';

const run = promisify(execFile);
const ask = fileURLToPath(new URL('ask.mjs', import.meta.url));

/** Where a request comes from and which address of the server it goes to. */
export interface Path {
  readonly from: string;
  readonly to: string;
}

/**
 * Paths to the server: neighbours by a private range, by an own range of public addresses, and peers behind a router.
 */
export const paths = {
  lan: { from: '10.0.0.2', to: '10.0.0.1' },
  lan6: { from: 'fd00:aaaa::2', to: 'fd00:aaaa::1' },
  linkLocal: { from: 'fe80::aaaa:2%lan', to: 'fe80::aaaa:1%lan' },
  own: { from: '198.51.100.2', to: '198.51.100.1' },
  own6: { from: '2001:db8:bbbb::2', to: '2001:db8:bbbb::1' },
  routed: { from: '203.0.113.7', to: '10.0.0.1' },
  routed6: { from: '2001:db8:ffff::7', to: 'fd00:aaaa::1' },
} as const satisfies Readonly<Record<string, Path>>;

/** Why network namespaces cannot be made here; null when they can. */
export function whyNoNamespaces(): string | null {
  if (process.platform !== 'linux') return 'network namespaces need Linux';
  if (process.getuid?.() !== 0) return 'network namespaces need root';
  if (spawnSync('ip', ['-V']).status !== 0) return 'iproute2 (the command ip) is not installed';
  const tried = spawnSync('unshare', ['--net', 'sh', '-c', 'nsenter --net=/proc/$$/ns/net ip link set lo up']);
  return tried.status === 0 ? null : 'this machine does not let root make network namespaces';
}

/** A server that runs in a network of its own. */
export interface RoutedServer {
  /** Sends bytes along a path and reads until the server closes; the request must ask for `Connection: close`. */
  readonly send: (path: Path, bytes: string) => Promise<WireResponse>;
  /** A command line that runs a command on the neighbour. */
  readonly onNeighbour: (...command: readonly string[]) => readonly [string, ...string[]];
  /** A command line that runs a command on the server's machine. */
  readonly onServer: (...command: readonly string[]) => readonly [string, ...string[]];
  /** Process id of the server. */
  readonly pid: number;
  /** What the server printed so far. */
  readonly printed: () => string;
  /** Ends the server and removes its network. */
  readonly stop: () => Promise<void>;
}

/**
 * A network namespace without a name: it lives as long as a process that waits for this one, so nothing is left behind.
 */
export interface Net {
  readonly pid: number;
  /** A command line that runs a command in it. */
  readonly inside: (...command: readonly string[]) => readonly [string, ...string[]];
  readonly remove: () => Promise<void>;
}

/** Makes one without any interface that is up. */
export async function makeNet(): Promise<Net> {
  const holder = spawn('unshare', ['--net', 'sh', '-c', 'echo made; exec cat'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(holder, 'close');
  const [first] = await Promise.race([once(holder.stdout, 'data'), ended]);
  const { pid } = holder;
  if (pid === undefined || String(first) !== 'made\n') throw new Error('no network namespace could be made');
  return {
    pid,
    inside: (...command) => ['nsenter', `--net=/proc/${pid}/ns/net`, ...command],
    remove: async () => {
      holder.stdin.end();
      await ended;
    },
  };
}

const linesOf = (server: Net, client: Net): readonly (readonly [Net, string])[] => [
  [server, `link add lan type veth peer name lan netns ${client.pid}`],
  [server, `link add pub type veth peer name pub netns ${client.pid}`],
  ...[[server, '1'] as const, [client, '2'] as const].flatMap(([net, last]) =>
    [
      `addr add 10.0.0.${last}/24 dev lan`,
      `addr add fd00:aaaa::${last}/64 dev lan nodad`,
      `addr add fe80::aaaa:${last}/64 dev lan nodad`,
      `addr add 198.51.100.${last}/24 dev pub`,
      `addr add 2001:db8:bbbb::${last}/64 dev pub nodad`,
      ...['lo', 'lan', 'pub'].map((link) => `link set ${link} up`),
    ].map((line): readonly [Net, string] => [net, line]),
  ),
  [client, 'addr add 203.0.113.7/32 dev lo'],
  [client, 'addr add 2001:db8:ffff::7/128 dev lo nodad'],
  [server, 'route add 203.0.113.7 via 10.0.0.2'],
  [server, 'route add 2001:db8:ffff::7 via fd00:aaaa::2'],
];

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Starts a command line in a network namespace whose only addresses are those of `paths`, and waits until `port`
 * answers a neighbour. Needs what `whyNoNamespaces` asks for.
 */
export async function startRouted(
  command: readonly [string, ...string[]],
  port: number,
  options: { readonly cwd?: string; readonly readyMs?: number } = {},
): Promise<RoutedServer> {
  const server = await makeNet();
  const client = await makeNet();
  const remove = async (): Promise<void> => {
    await Promise.all([server.remove(), client.remove()]);
  };
  try {
    for (const [net, line] of linesOf(server, client)) {
      const [nsenter, ...args] = net.inside('ip', ...line.split(' '));
      await run(nsenter, args);
    }
  } catch (error) {
    await remove();
    throw new Error('the network of the test could not be made', { cause: error });
  }

  const [nsenter, ...args] = server.inside(...command);
  const child = spawn(nsenter, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) child.kill('SIGTERM');
    const cut = setTimeout(() => child.kill('SIGKILL'), 6000);
    await ended;
    clearTimeout(cut);
    await remove();
  };
  const send = async (path: Path, bytes: string): Promise<WireResponse> => {
    const [entering, ...words] = client.inside(
      process.execPath,
      ask,
      path.from,
      path.to,
      String(port),
      Buffer.from(bytes, 'latin1').toString('hex'),
    );
    const { stdout } = await run(entering, words);
    return parseResponse(Buffer.from(stdout, 'hex').toString('latin1'));
  };

  const last = Date.now() + (options.readyMs ?? 15_000);
  for (;;) {
    const answered = await send(paths.lan, 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n').then(
      ({ status }) => status > 0,
      () => false,
    );
    if (answered)
      return {
        send,
        onNeighbour: client.inside,
        onServer: server.inside,
        pid: child.pid ?? 0,
        printed: () => printed,
        stop,
      };
    if (child.exitCode !== null || Date.now() > last) {
      await stop();
      throw new Error(`the server did not answer; it printed: ${printed}`);
    }
    await delay(50);
  }
}
