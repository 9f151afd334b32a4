import { spawnSync } from 'node:child_process';

/**
 * The two ways into a mount namespace of its own. The first keeps its mounts from all others, but fails in a root folder
 * that is no mount itself (chroot); the second may show them outside where mounts are shared, so what it mounted is taken away.
 */
const ways = [['-m'], ['-m', '--propagation', 'unchanged']] as const;
const way = ways.find((options) => spawnSync('unshare', [...options, 'sh', '-c', 'mount -t tmpfs -o size=64k tmpfs /mnt && umount /mnt']).status === 0);

/** Whether a file system can be mounted for a test. */
export const canMount = way !== undefined;

/** The lines that a shell story prints with a file system of its own mounted on `folder`, which nobody else gets to see. */
export const tellMounted = (folder: string, options: string, story: string, timeout: number): readonly string[] => {
  try {
    const run = spawnSync('unshare', [...(way ?? []), 'sh', '-c', `mount -t tmpfs -o ${options} tmpfs "$0" || exit\n${story}\ncd / && umount "$0"`, folder], { encoding: 'utf8', timeout });
    return run.stdout.trim().split('\n');
  } finally {
    // A story that was cut short has left the mount; where it was not shared there is nothing to take away.
    if (way !== ways[0]) spawnSync('umount', ['-l', folder], { stdio: 'ignore' });
  }
};
