import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename, join } from 'node:path';

import type { ZigbeeGateway } from '#machines/zigbee/events.ts';

/** Length to which the kernel truncates the name of a process (`comm`), in characters. */
const COMM_LENGTH = 15;
/** Largest number of processes that are read in one scan. */
const MOST_PROCESSES = 8192;
/** Clock ticks per second in procfs (USER_HZ), the same on every current Linux. */
const TICKS_PER_SECOND = 100;

/** One process of the gateway. */
export interface GatewayProcess {
  /** Process id and start time in ticks; together they are unique until the next boot. */
  readonly key: string;
  readonly startedTicks: number;
  readonly cpuTicks: number;
}

const read = (path: string): Promise<string | null> =>
  readFile(path, 'utf8').then(
    (text) => text,
    () => null,
  );

/** True for a JavaScript runtime, whose name does not tell the program. */
const isNode = (comm: string): boolean => comm === 'node' || comm === 'MainThread';

/**
 * True if a process is the gateway. Only exact names count: that of the process, its program, or the folder of a script
 * that node runs.
 */
export function isGateway(
  gateway: ZigbeeGateway,
  seen: { readonly comm: string; readonly args: readonly string[]; readonly folder: string | null },
): boolean {
  const program = basename(seen.args[0] ?? '');
  if (program === gateway) return true;
  if (seen.comm === gateway.slice(0, COMM_LENGTH) && (gateway.length <= COMM_LENGTH || program === '')) return true;
  if (gateway !== 'zigbee2mqtt' || !isNode(seen.comm)) return false;
  const script = seen.args.slice(1).find((arg) => !arg.startsWith('-')) ?? '';
  if (script.startsWith('/'))
    return (
      ['index.js', 'cli.js'].includes(basename(script)) &&
      basename(script.slice(0, script.lastIndexOf('/'))) === gateway
    );
  return script === 'index.js' && seen.folder !== null && basename(seen.folder) === gateway;
}

/**
 * Parses the times in `/proc/<pid>/stat`. The process name may contain anything, so parsing begins after its last
 * bracket.
 */
export function parseStat(text: string): { readonly cpuTicks: number; readonly startedTicks: number } | null {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  // Fields 14, 15 and 22 of proc(5); the remaining text begins with field 3.
  const [user, system, started] = [Number(fields[11]), Number(fields[12]), Number(fields[19])];
  return Number.isFinite(user) && Number.isFinite(system) && Number.isFinite(started) && fields.length > 19
    ? { cpuTicks: user + system, startedTicks: started }
    : null;
}

/** Finds the running processes of the gateway; null if processes cannot be listed. */
export async function findProcesses(gateway: ZigbeeGateway, proc: string): Promise<readonly GatewayProcess[] | null> {
  const names = await readdir(proc).catch(() => null);
  // A /proc that hides other users' processes can still be listed. Process 1 belongs to root, so it shows whether they
  // are hidden.
  if (names === null || (await read(join(proc, '1/stat'))) === null) return null;
  const found: GatewayProcess[] = [];
  for (const pid of names.filter((name) => /^\d+$/.test(name)).slice(0, MOST_PROCESSES)) {
    // oxlint-disable-next-line no-await-in-loop -- one process after another, so that a scan takes few files at a time
    const comm = (await read(join(proc, pid, 'comm')))?.trimEnd();
    if (comm === undefined || (comm !== gateway.slice(0, COMM_LENGTH) && !isNode(comm))) continue;
    // oxlint-disable-next-line no-await-in-loop -- as above
    const [line, folder, stat] = await Promise.all([
      read(join(proc, pid, 'cmdline')),
      readlink(join(proc, pid, 'cwd')).catch(() => null),
      read(join(proc, pid, 'stat')),
    ]);
    const args = (line ?? '')
      .split('\0')
      .filter((arg) => arg !== '')
      .slice(0, 16);
    const times = stat === null ? null : parseStat(stat);
    if (times !== null && isGateway(gateway, { comm, args, folder }))
      found.push({ key: `${pid}-${times.startedTicks}`, ...times });
  }
  return found;
}

/** Seconds since boot, from `/proc/uptime`; null if they cannot be read. */
export async function readUptime(proc: string): Promise<number | null> {
  const seconds = Number.parseFloat((await read(join(proc, 'uptime'))) ?? '');
  return Number.isFinite(seconds) ? seconds : null;
}

/**
 * Percent of one core that the processes used between two scans, counting those in both; null if there are none or no
 * time has passed.
 */
export function shareOf(
  before: readonly GatewayProcess[],
  now: readonly GatewayProcess[],
  elapsedMs: number,
): number | null {
  const known = new Map(before.map((one) => [one.key, one.cpuTicks]));
  const both = now.flatMap((one) => {
    const ticks = known.get(one.key);
    return ticks === undefined ? [] : [one.cpuTicks - ticks];
  });
  if (both.length === 0 || elapsedMs <= 0) return null;
  return Math.max(0, (100 * both.reduce((sum, ticks) => sum + ticks, 0)) / TICKS_PER_SECOND / (elapsedMs / 1000));
}

/** How long the oldest process has been running, in milliseconds; null if unknown. */
export const runningFor = (processes: readonly GatewayProcess[], uptime: number | null): number | null =>
  processes.length === 0 || uptime === null
    ? null
    : Math.max(
        0,
        Math.round(1000 * (uptime - Math.min(...processes.map((one) => one.startedTicks)) / TICKS_PER_SECOND)),
      );
