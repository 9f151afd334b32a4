import { spawn } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { ownFolder } from '../scenarios/agent-process.ts';
import { unmount, withMount } from './own-mounts.ts';

/** A small file system that outlives the agents on it. */
export interface SmallDisk {
  /** The data folder as an agent sees it, and as this process does. */
  readonly data: string;
  readonly inside: string;
  /** What comes before the command line of an agent on it. */
  readonly wrapper: readonly string[];
  /** Takes all space but so many bytes. */
  readonly fill: (free: number) => void;
  readonly clear: () => void;
  readonly remove: () => Promise<void>;
}

/** Appends to a file; false once the disk is full. */
function append(path: string, bytes: Buffer): boolean {
  const file = openSync(path, 'a', 0o600);
  try {
    return writeSync(file, bytes) === bytes.length;
  } catch {
    return false;
  } finally {
    closeSync(file);
  }
}

/** Makes a disk; `options` as of mount, such as `size=72m`. */
export async function makeSmallDisk(options: string): Promise<SmallDisk> {
  const mount = ownFolder();
  const [command, ...args] = withMount(mount, options);
  const holder = spawn(command, [...args, 'sh', '-c', 'echo mounted && exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => void holder.once('close', resolve));
  await new Promise((resolve) => void holder.stdout.once('data', resolve));
  const inside = `/proc/${holder.pid}/root${mount}`;
  const [filler, spare] = [join(inside, 'filler'), join(inside, 'spare')];
  const [large, small] = [Buffer.alloc(1024 * 1024), Buffer.alloc(4096)];
  return {
    data: join(mount, 'data'),
    inside: join(inside, 'data'),
    wrapper: ['nsenter', '-t', String(holder.pid), '-m', '--'],
    fill: (free) => {
      if (free > 0) append(spare, Buffer.alloc(free));
      while (append(filler, large));
      while (append(filler, small));
      rmSync(spare, { force: true });
    },
    clear: () => rmSync(filler, { force: true }),
    remove: async () => {
      holder.stdin.end();
      await ended;
      unmount(mount);
    },
  };
}
