import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One service as avahi-browse resolved it. */
export interface Found {
  readonly name: string;
  readonly host: string;
  readonly address: string;
  readonly port: number;
  readonly txt: Readonly<Record<string, string>>;
}

/** avahi on a machine of the test's own network, which browses for one type of service. */
export interface Watcher {
  /** What was seen so far, line by line: `+` it appeared, `=` it was resolved, `-` it left. */
  readonly lines: () => readonly string[];
  /** Waits for a service that passes, looking from the `from`-th line on. */
  readonly found: (passes: (service: Found) => boolean, from?: number, withinMs?: number) => Promise<Found>;
  /** Waits for the departure of a name. */
  readonly left: (name: string, withinMs?: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Why avahi cannot be run here; null when it can. */
export const whyNoAvahi = (): string | null =>
  ['avahi-daemon', 'avahi-browse', 'dbus-daemon']
    .map((tool) => (spawnSync('which', [tool]).status === 0 ? null : `${tool} is not installed`))
    .find((why) => why !== null) ??
  (spawnSync('unshare', ['--mount', 'true']).status === 0 ? null : 'mounts of its own are not allowed here');

const busOf = (
  folder: string,
): string => `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path=${folder}/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow user="*"/><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/></policy></busconfig>
`;

const avahiOf = (link: string): string => `[server]
host-name=watcher
use-ipv6=no
allow-interfaces=${link}
[publish]
disable-publishing=yes
`;

/** avahi-browse writes the bytes of a name that are no plain letters as `\DDD`, by their decimal codes. */
const unescaped = (text: string): string =>
  Buffer.from(
    text.replaceAll(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number(code))),
    'latin1',
  ).toString('utf8');

function parse(line: string): Found | null {
  const [mark, , family, name = '', , , host = '', address = '', port = '', ...rest] = line.split(';');
  if (mark !== '=' || family !== 'IPv4') return null;
  const entries = [...rest.join(';').matchAll(/"([^"=]+)=([^"]*)"/g)].map(
    ([, key = '', value = '']) => [key, unescaped(value)] as const,
  );
  return { name: unescaped(name), host, address, port: Number(port), txt: Object.fromEntries(entries) };
}

async function until<T>(what: string, look: () => T | null | undefined, withinMs: number): Promise<T> {
  const last = Date.now() + withinMs;
  for (;;) {
    const found = look();
    if (found !== null && found !== undefined) return found;
    if (Date.now() > last) throw new Error(`waited ${withinMs} ms in vain: ${what}`);
    // oxlint-disable-next-line no-await-in-loop -- this is a wait for a condition
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
}

/** Starts avahi with a bus of its own where `inside` leads to, on the interface `link`, and browses for `type`. */
export async function startWatcher(
  inside: (...command: readonly string[]) => readonly [string, ...string[]],
  link: string,
  type: string,
): Promise<Watcher> {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-avahi-'));
  writeFileSync(join(folder, 'bus.conf'), busOf(folder));
  writeFileSync(join(folder, 'avahi.conf'), avahiOf(link));
  const env = { ...process.env, DBUS_SYSTEM_BUS_ADDRESS: `unix:path=${folder}/bus` };
  const started: ChildProcess[] = [];
  const launch = (...command: readonly string[]): ChildProcess => {
    const [program, ...args] = inside(...command);
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    started.push(child);
    return child;
  };
  let seen = '';
  let said = '';
  const hear = (child: ChildProcess): void => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  };
  const stop = async (): Promise<void> => {
    for (const child of started.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      // oxlint-disable-next-line no-await-in-loop -- one after another: the bus ends last
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  // The last piece is a line only once its end has come.
  const lines = (): readonly string[] => seen.split('\n').slice(0, -1);
  try {
    hear(launch('dbus-daemon', `--config-file=${folder}/bus.conf`, '--nofork', '--nopidfile'));
    await until('the bus', () => (existsSync(join(folder, 'bus')) ? true : null), 5000);
    // A daemon of the machine itself may hold the usual folder for its process id.
    const own =
      'mkdir -p /run/avahi-daemon && mount -t tmpfs none /run/avahi-daemon && exec avahi-daemon --no-drop-root --no-chroot --no-rlimits -f "$0"';
    hear(launch('unshare', '--mount', 'sh', '-c', own, join(folder, 'avahi.conf')));
    await until('avahi', () => (said.includes('startup complete') ? true : null), 10_000);
    launch('avahi-browse', '-rp', type).stdout?.on('data', (chunk: Buffer) => (seen += chunk.toString()));
  } catch (error) {
    await stop();
    throw new Error(`the watcher did not start; it said: ${said}`, { cause: error });
  }
  return {
    lines,
    found: (passes, from = 0, withinMs = 30_000) =>
      until(
        'a service',
        () =>
          lines()
            .slice(from)
            .map(parse)
            .find((service) => service !== null && passes(service)),
        withinMs,
      ),
    left: async (name, withinMs = 5000) => {
      await until(
        `the departure of ${name}`,
        () => lines().find((line) => line.startsWith('-') && unescaped(line.split(';')[3] ?? '') === name),
        withinMs,
      );
    },
    stop,
  };
}
