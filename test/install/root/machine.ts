import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { until } from '../../platform/kit/until.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));

/** What a command inside the machine said. */
interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A small Debian of its own: systemd in a container, on a layer over the cached root that is gone with it. */
export interface Machine {
  readonly boot: () => Promise<void>;
  /** As if the plug were pulled. */
  readonly cutPower: () => Promise<void>;
  readonly run: (command: string, ...args: readonly string[]) => Promise<Said>;
  /** Starts a command and answers the process by which it can be killed. */
  readonly start: (command: string, ...args: readonly string[]) => ChildProcess;
  /** Body of a good answer to `GET path` on loopback; null for any other, and for none. */
  readonly get: (path: string, port?: number) => Promise<string | null>;
  readonly end: () => Promise<void>;
}

/** By the shell alone: a wait asks again and again, and each start of Node costs twenty times as much. */
const GET = `exec 3<>/dev/tcp/127.0.0.1/$1 || exit 1
printf 'GET %s HTTP/1.0\\r\\nHost: 127.0.0.1:%s\\r\\nConnection: close\\r\\n\\r\\n' "$2" "$1" >&3
exec cat <&3`;

const environment = [
  '/usr/bin/env',
  '-i',
  'HOME=/root',
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  'LC_ALL=C',
];

/** The first process of a machine among the children of its container: on the way there are others, which end. */
const findLeader = (pid: number): number | undefined =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .map(Number)
    .find(
      (child) =>
        child > 0 &&
        /^NSpid:.*\t1$/m.test(readFileSync(`/proc/${child}/status`, 'utf8')) &&
        readFileSync(`/proc/${child}/comm`, 'utf8') === 'systemd\n',
    );

const gone = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) =>
    child.exitCode !== null || child.signalCode !== null ? resolve() : child.once('exit', () => resolve()),
  );

/** Makes a machine over the root folder that prepare.sh made; the project lies in its /srv/sconce. */
export async function makeMachine(root: string): Promise<Machine> {
  // All mounts belong to this one process: however the test ends, they end with it.
  const mounts = `
    mount -t tmpfs -o mode=755 sconce-machine /mnt
    mkdir /mnt/upper /mnt/work /mnt/root
    mount -t overlay -o lowerdir="$1",upperdir=/mnt/upper,workdir=/mnt/work overlay /mnt/root
    mkdir -p /mnt/root/srv/sconce
    echo ready
    exec sleep infinity`;
  const holder = spawn(
    'unshare',
    ['--mount', '--propagation', 'private', '--kill-child', 'sh', '-ec', mounts, 'sh', root],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await new Promise<void>((resolve, reject) => {
    holder.stdout.once('data', () => resolve());
    holder.once('exit', (code) => reject(new Error(`the layer over the root could not be mounted (${code})`)));
  });
  const into = ['-t', String(holder.pid), '-m', '--'];
  let container: ChildProcess | null = null;
  let leader = -1;
  const inside = (command: string, args: readonly string[]): readonly string[] => [
    '-t',
    String(leader),
    '-m',
    '-u',
    '-i',
    '-n',
    '-p',
    '--',
    ...environment,
    command,
    ...args,
  ];

  const machine: Machine = {
    boot: async () => {
      const manager = existsSync('/run/systemd/system') ? [] : ['--keep-unit'];
      const options = [
        '-q',
        '-D',
        '/mnt/root',
        '--register=no',
        ...manager,
        '--private-network',
        `--bind-ro=${project}:/srv/sconce`,
        '--console=pipe',
        '--machine=panel',
        '--boot',
      ];
      container = spawn('nsenter', [...into, 'systemd-nspawn', ...options], { stdio: ['ignore', 'ignore', 'ignore'] });
      const { pid } = container;
      // nsenter becomes nspawn; its child is the first process of the machine.
      leader = await until('the first process of the machine', () => (pid === undefined ? undefined : findLeader(pid)));
      await until(
        'the end of the start',
        async () => /running|degraded/.test((await machine.run('systemctl', 'is-system-running')).out),
        60_000,
      );
    },
    cutPower: async () => {
      if (container === null) return;
      const ended = gone(container);
      // Everything in the machine ends with its first process; the container sees that, unless it never had one.
      if (existsSync(`/proc/${leader}`)) process.kill(leader, 'SIGKILL');
      else container.kill('SIGKILL');
      await ended;
      container = null;
      leader = -1;
    },
    run: (command, ...args) =>
      new Promise((resolve) => {
        const child = execFile(
          'nsenter',
          [...inside(command, args)],
          { timeout: 170_000, killSignal: 'SIGKILL', maxBuffer: 64 * 1024 * 1024 },
          (error, out, err) =>
            resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, out, err }),
        );
        child.stdin?.end();
      }),
    start: (command, ...args) => spawn('nsenter', [...inside(command, args)], { stdio: 'ignore' }),
    get: async (path, port = 8888) => {
      const { code, out } = await machine.run('timeout', '20', 'bash', '-c', GET, 'bash', String(port), path);
      const [head = '', ...body] = out.split('\r\n\r\n');
      return code === 0 && /^HTTP\/1\.[01] 200 /.test(head) ? body.join('\r\n\r\n') : null;
    },
    end: async () => {
      await machine.cutPower();
      const ended = gone(holder);
      holder.kill('SIGKILL');
      await ended;
    },
  };
  return machine;
}
