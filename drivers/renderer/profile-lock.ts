import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import type { Milliseconds } from '#machines/kit/units.ts';

/** How long a browser that an earlier agent left behind is given to end by itself, once its pipe is closed. */
const LEAVE_MS: Milliseconds = 2000;
const LOOK_MS: Milliseconds = 50;

/** The process that the profile's lock names, when it runs on this machine with this very profile; else null. */
const holderOf = async (profile: string): Promise<number | null> => {
  const lock = await readlink(join(profile, 'SingletonLock')).catch(() => '');
  const [, host, digits] = /^(.*)-(\d+)$/.exec(lock) ?? [];
  if (host !== hostname() || digits === undefined) return null;
  const command = await readFile(`/proc/${digits}/cmdline`, 'utf8').catch(() => '');
  return command.split('\0').includes(`--user-data-dir=${profile}`) ? Number(digits) : null;
};

/**
 * Removes the lock that a killed browser, a renamed machine or a restored backup left in the profile. The data folder is held
 * by one agent alone, so that a browser still on this profile is the one of an agent that died: it gets two seconds, then SIGKILL.
 */
export const freeProfile = async (profile: string): Promise<void> => {
  const holder = await holderOf(profile);
  if (holder !== null) {
    const deadline = performance.now() + LEAVE_MS;
    while (performance.now() < deadline && (await holderOf(profile)) === holder) await pause(LOOK_MS);
    if ((await holderOf(profile)) === holder) process.kill(holder, 'SIGKILL');
  }
  const names = await readdir(profile).catch(() => []);
  await Promise.all(names.filter((name) => name.startsWith('Singleton')).map((name) => rm(join(profile, name), { force: true })));
};
