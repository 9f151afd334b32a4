import type { Machine } from './machine.ts';

/**
 * What any use of a machine changes by itself, and why it is no trace of Sconce: kernel and run time; the system's own
 * logs, caches and seeds; lists of apt and dpkg, and what their triggers renew; copies that passwd and its relatives
 * keep of their last state.
 */
const exempt = [
  '/proc',
  '/sys',
  '/dev',
  '/run',
  '/tmp',
  '/var/tmp',
  '/srv/sconce',
  '/var/log',
  '/var/cache',
  '/var/lib/systemd',
  '/var/lib/private',
  '/var/lib/dbus',
  '/etc/machine-id',
  '/var/lib/apt',
  '/var/lib/dpkg',
  '/etc/ld.so.cache',
  '/usr/share/mime',
  '/usr/share/icons',
  '/etc/passwd-',
  '/etc/shadow-',
  '/etc/group-',
  '/etc/gshadow-',
  '/etc/subuid-',
  '/etc/subgid-',
  '/etc/.pwd.lock',
];

/**
 * Every file of a machine with kind, rights, owner and target, and of small files in /etc and /usr/local their sums
 * too.
 */
export async function listFiles(machine: Machine): Promise<readonly string[]> {
  const prune = exempt.flatMap((path) => ['-path', path, '-o']).slice(0, -1);
  const pruned = exempt.map((path) => `-path ${path}`).join(' -o ');
  const [names, sums] = await Promise.all([
    machine.run('find', '/', '(', ...prune, ')', '-prune', '-o', '-printf', '%p %y %m %U:%G %l\\n'),
    machine.run('sh', '-c', `find /etc /usr/local \\( ${pruned} \\) -prune -o -type f -exec sha256sum {} +`),
  ]);
  const lines = [...names.out.split('\n'), ...sums.out.split('\n')].filter((line) => line !== '');
  if (lines.length < 1000) throw new Error('the files of the machine could not be listed');
  return lines.toSorted();
}

/** What two lists do not have in common, in lines that say which has it. */
export function difference(before: readonly string[], after: readonly string[]): readonly string[] {
  const [had, has] = [new Set(before), new Set(after)];
  return [
    ...before.filter((line) => !has.has(line)).map((line) => `- ${line}`),
    ...after.filter((line) => !had.has(line)).map((line) => `+ ${line}`),
  ];
}
