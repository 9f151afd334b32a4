import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import type { Milliseconds } from '#machines/kit/units.ts';

/** Time for a browser that an earlier agent left behind to end by itself, once its pipe is closed. */
const LEAVE_MS: Milliseconds = 2000;
const POLL_MS: Milliseconds = 50;

/**
 * The process that a profile's lock names: none that runs on this machine, a browser that an agent started, or another.
 */
type Holder = { readonly kind: 'gone' } | { readonly kind: 'left-behind' | 'stranger'; readonly pid: number };

async function holderOf(profile: string): Promise<Holder> {
  const lock = await readlink(join(profile, 'SingletonLock')).catch(() => '');
  const [, host, digits] = /^(.*)-(\d+)$/.exec(lock) ?? [];
  if (host !== hostname() || digits === undefined) return { kind: 'gone' };
  const command = await readFile(`/proc/${digits}/cmdline`, 'utf8').catch(() => '');
  if (command === '') return { kind: 'gone' };
  return {
    kind: command.split('\0').includes(`--user-data-dir=${profile}`) ? 'left-behind' : 'stranger',
    pid: Number(digits),
  };
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/**
 * Removes the lock that a killed browser, a renamed machine or a restored backup left in the profile. Only one agent
 * holds the data folder, so a browser still on this profile belongs to an agent that died: it gets 2 s, then SIGKILL. A
 * lock that names any other running process stays; the browser decides if that is one of its kind.
 */
export async function freeProfile(profile: string): Promise<void> {
  const deadline = performance.now() + LEAVE_MS;
  let holder = await holderOf(profile);
  while (holder.kind === 'left-behind' && performance.now() < deadline) {
    await pause(POLL_MS);
    holder = await holderOf(profile);
  }
  if (holder.kind === 'stranger') return;
  if (holder.kind === 'left-behind') endProcess(holder.pid);
  const names = await readdir(profile).catch(() => []);
  await Promise.all(
    names.filter((name) => name.startsWith('Singleton')).map((name) => rm(join(profile, name), { force: true })),
  );
}
