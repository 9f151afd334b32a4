import { spawnSync } from 'node:child_process';

/**
 * The two ways into a mount namespace of its own. The first keeps its mounts from all others, but fails in a root
 * folder that is no mount itself (chroot); the second may show them outside where mounts are shared, so what it mounted
 * is taken away.
 */
const ways = [['-m'], ['-m', '--propagation', 'unchanged']] as const;
const way = ways.find(
  (options) =>
    spawnSync('unshare', [...options, 'sh', '-c', 'mount -t tmpfs -o size=64k tmpfs /mnt && umount /mnt']).status === 0,
);

/** Whether a file system can be mounted for a test. */
export const canMount = way !== undefined;

/**
 * What comes before a command line that needs a file system of its own on `folder`; it keeps the process id, and the
 * mount ends with it.
 */
export const withMount = (folder: string, options: string): readonly [string, ...string[]] => [
  'unshare',
  ...(way ?? []),
  'sh',
  '-c',
  'mount -t tmpfs -o "$1" tmpfs "$2" && shift 2 && exec "$@"',
  'sh',
  options,
  folder,
];

/** Takes away what was seen of the mount outside; for after the command line has ended. */
export function unmount(folder: string): void {
  if (way !== ways[0]) spawnSync('umount', ['-l', folder], { stdio: 'ignore' });
}

/** The lines that a shell story prints with a small file system of its own on `mount`. */
export function tell(mount: string, options: string, story: string): readonly string[] {
  const [unshare, ...args] = withMount(mount, options);
  try {
    return spawnSync(unshare, [...args, 'sh', '-c', story], { encoding: 'utf8', timeout: 18_000 })
      .stdout.trim()
      .split('\n');
  } finally {
    unmount(mount);
  }
}
