import { lstat, open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { errorCode } from '#drivers/kit/error-code.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { serial } from '#drivers/kit/serial.ts';
import type { ExposureCommand, ExposureFact, ExposureFinding, ExposureView } from '#machines/approvals/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

/** Longest list of sockets that is read, in bytes: 27,000 sockets at 150 bytes each. */
const LONGEST_LIST = 4 * 1024 * 1024;
const PIECE = 64 * 1024;
/** Most processes, and most entries of a folder of systemd, that are looked at. */
const MOST_PROCESSES = 8192;
const MOST_ENTRIES = 4096;

const DAEMON = 'adbd';
const UNITS = ['adbd.service', 'android-tools-adbd.service'] as const;
const UNIT_FOLDERS = ['etc/systemd/system', 'run/systemd/system'] as const;

export interface ExposureOptions {
  /** Decides what is exposed by what was read. */
  readonly judge: (view: ExposureView) => readonly ExposureFinding[];
  /** Monotonic clock. */
  readonly now: () => Milliseconds;
  /** Root of the file system; `/` by default. */
  readonly root?: string;
}

/** True for a process that ended while it was looked at. */
const hasEnded = (error: unknown): boolean => ['ENOENT', 'ESRCH'].includes(errorCode(error));

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    (error) => errorCode(error) !== 'ENOENT',
  );

/** A list of sockets; null if it is too long. The kernel tells no size, so it is read piece by piece. */
async function readList(path: string): Promise<string | null> {
  const file = await open(path, 'r');
  try {
    const bytes = Buffer.alloc(PIECE);
    let text = '';
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one piece after another
      const { bytesRead } = await file.read(bytes, 0, PIECE, null);
      if (bytesRead === 0) return text;
      text += bytes.toString('latin1', 0, bytesRead);
      if (text.length > LONGEST_LIST) return null;
    }
  } finally {
    await file.close();
  }
}

const listOf = (path: string): Promise<string | null> => readList(path).catch(() => null);

/** The IPv6 list; "" if the kernel has no IPv6: then its list of addresses (`if_inet6`) is missing as well. */
async function readIpv6(net: string): Promise<string | null> {
  try {
    return await readList(join(net, 'tcp6'));
  } catch (error) {
    return errorCode(error) === 'ENOENT' && !(await isThere(join(net, 'if_inet6'))) ? '' : null;
  }
}

/** The name of a process; null if it has ended. */
async function nameOf(proc: string, id: string): Promise<string | null> {
  try {
    return (await readFile(join(proc, id, 'comm'), 'utf8')).trimEnd();
  } catch (error) {
    if (hasEnded(error)) return null;
    throw error;
  }
}

/**
 * True if the process runs. Process 1 belongs to root and never ends, so it shows whether those of others are hidden
 * (`hidepid`).
 */
async function findDaemon(proc: string): Promise<boolean | null> {
  try {
    const ids = (await readdir(proc)).filter((name) => /^\d+$/.test(name));
    if (ids.length > MOST_PROCESSES || (await nameOf(proc, '1')) === null) return null;
    for (const id of ids) {
      // oxlint-disable-next-line no-await-in-loop -- one after another, so that a look opens few files at a time
      if ((await nameOf(proc, id)) === DAEMON) return true;
    }
    return false;
  } catch {
    return null;
  }
}

/** Names in a folder; none if there is no such folder. */
async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    const names = await readdir(folder);
    if (names.length > MOST_ENTRIES) throw new Error('too many entries');
    return names;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** True if a target or another unit of systemd wants it, by a link in its folder (systemd.unit(5)). */
async function findEnabled(root: string): Promise<boolean | null> {
  try {
    for (const folder of UNIT_FOLDERS) {
      // oxlint-disable-next-line no-await-in-loop -- as above
      const names = await namesIn(join(root, folder));
      for (const name of names.filter((one) => /\.(?:wants|requires|upholds)$/.test(one))) {
        // oxlint-disable-next-line no-await-in-loop -- as above
        const links = await namesIn(join(root, folder, name));
        if (UNITS.some((unit) => links.includes(unit))) return true;
      }
    }
    return false;
  } catch {
    return null;
  }
}

/** Reads what there is about listeners and programs; starts no process. */
export async function viewExposure(root = '/'): Promise<ExposureView> {
  const proc = join(root, 'proc');
  const net = join(proc, 'net');
  const [tcp, tcp6, adbdRuns, adbdEnabled] = await Promise.all([
    listOf(join(net, 'tcp')),
    readIpv6(net),
    findDaemon(proc),
    findEnabled(root),
  ]);
  return { tcp, tcp6, adbdRuns, adbdEnabled };
}

/** Looks at listeners and programs of this machine when it is told to, one look after another. */
export const exposureDriver = ({ judge, now, root }: ExposureOptions) =>
  fromDriver<ExposureCommand, undefined, ExposureFact>(({ send, onEvent }) => {
    const inTurn = serial({ stopsAtThrow: true });
    onEvent(() =>
      inTurn(async () => {
        const findings = judge(await viewExposure(root));
        send({ type: 'exposure.seen', findings, at: now() });
      }),
    );
  });
