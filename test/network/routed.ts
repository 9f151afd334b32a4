import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { parseResponse, type WireResponse } from './check-table.ts';

const run = promisify(execFile);
const ask = fileURLToPath(new URL('ask.mjs', import.meta.url));

/** Where a request comes from and which address of the server it goes to. */
export interface Path {
  readonly from: string;
  readonly to: string;
}

/** Paths to the server: neighbours by a private range, by an own range of public addresses, and peers behind a router. */
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
export const whyNoNamespaces = (): string | null => {
  if (process.platform !== 'linux') return 'network namespaces need Linux';
  if (process.getuid?.() !== 0) return 'network namespaces need root';
  const name = `sconce-try-${process.pid}`;
  try {
    execFileSync('ip', ['netns', 'add', name], { stdio: 'ignore' });
    execFileSync('ip', ['netns', 'exec', name, 'true'], { stdio: 'ignore' });
    return null;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'iproute2 (the command ip) is not installed' : 'this machine does not let root make network namespaces';
  } finally {
    try {
      execFileSync('ip', ['netns', 'del', name], { stdio: 'ignore' });
    } catch {
      // It was never made.
    }
  }
};

/** A server that runs in a network of its own. */
export interface RoutedServer {
  /** Sends bytes along a path and reads until the server closes; the request must ask for `Connection: close`. */
  readonly send: (path: Path, bytes: string) => Promise<WireResponse>;
  /** What the server printed so far. */
  readonly printed: () => string;
  /** Ends the server and removes its network. */
  readonly stop: () => Promise<void>;
}

const linesOf = (server: string, client: string): readonly string[] => [
  `netns add ${server}`,
  `netns add ${client}`,
  `link add lan netns ${server} type veth peer name lan netns ${client}`,
  `link add pub netns ${server} type veth peer name pub netns ${client}`,
  ...[[server, '1'] as const, [client, '2'] as const].flatMap(([name, last]) => [
    `-n ${name} addr add 10.0.0.${last}/24 dev lan`,
    `-n ${name} addr add fd00:aaaa::${last}/64 dev lan nodad`,
    `-n ${name} addr add fe80::aaaa:${last}/64 dev lan nodad`,
    `-n ${name} addr add 198.51.100.${last}/24 dev pub`,
    `-n ${name} addr add 2001:db8:bbbb::${last}/64 dev pub nodad`,
    ...['lo', 'lan', 'pub'].map((link) => `-n ${name} link set ${link} up`),
  ]),
  `-n ${client} addr add 203.0.113.7/32 dev lo`,
  `-n ${client} addr add 2001:db8:ffff::7/128 dev lo nodad`,
  `-n ${server} route add 203.0.113.7 via 10.0.0.2`,
  `-n ${server} route add 2001:db8:ffff::7 via fd00:aaaa::2`,
];

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
let made = 0;

/**
 * Starts a command line in a network namespace whose only addresses are those of `paths`, and waits until `port` answers a
 * neighbour. Needs what `whyNoNamespaces` asks for.
 */
export const startRouted = async (command: readonly [string, ...string[]], port: number, options: { readonly cwd?: string; readonly readyMs?: number } = {}): Promise<RoutedServer> => {
  const name = `sconce-${process.pid}-${(made += 1)}`;
  const [server, client] = [`${name}-s`, `${name}-c`];
  const remove = async (): Promise<void> => {
    for (const each of [server, client]) await run('ip', ['netns', 'del', each]).catch(() => {});
  };
  try {
    for (const line of linesOf(server, client)) await run('ip', line.split(' '));
  } catch (error) {
    await remove();
    throw new Error('the network of the test could not be made', { cause: error });
  }

  const child = spawn('ip', ['netns', 'exec', server, ...command], { stdio: ['ignore', 'pipe', 'pipe'], ...(options.cwd === undefined ? {} : { cwd: options.cwd }) });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    const cut = setTimeout(() => child.kill('SIGKILL'), 6000);
    await ended;
    clearTimeout(cut);
    await remove();
  };
  const send = async (path: Path, bytes: string): Promise<WireResponse> => {
    const { stdout } = await run('ip', ['netns', 'exec', client, process.execPath, ask, path.from, path.to, String(port), Buffer.from(bytes, 'latin1').toString('hex')]);
    return parseResponse(Buffer.from(stdout, 'hex').toString('latin1'));
  };

  const last = Date.now() + (options.readyMs ?? 15_000);
  for (;;) {
    const answered = await send(paths.lan, 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n').then(({ status }) => status > 0, () => false);
    if (answered) return { send, printed: () => printed, stop };
    if (child.exitCode !== null || Date.now() > last) {
      await stop();
      throw new Error(`the server did not answer; it printed: ${printed}`);
    }
    await delay(50);
  }
};
