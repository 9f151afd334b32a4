import { readdir, readFile, readlink, rm } from 'node:fs/promises';

import { until } from '../../scenarios/live-agent.ts';

/** Whether a process was started with this folder, as its argument or its home, or has something in it open. */
async function uses(pid: string, folder: string): Promise<boolean> {
  for (const file of ['cmdline', 'environ']) {
    const text = await readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
    if (text.includes(folder)) return true;
  }
  const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const targets = await Promise.all(files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => '')));
  return targets.some((target) => target.startsWith(folder));
}
async function usersOf(folder: string): Promise<readonly string[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const using = await Promise.all(names.map((name) => uses(name, folder)));
  return names.filter((_, index) => using[index]);
}

/**
 * Removes the folder of a browser that was ended, once none of its processes runs any more: one that is on its way out
 * would write it again.
 */
export async function removeFolder(folder: string): Promise<void> {
  await until('the end of what uses the folder', async () => (await usersOf(folder)).length === 0);
  await rm(folder, { recursive: true, force: true, maxRetries: 40, retryDelay: 50 });
}
