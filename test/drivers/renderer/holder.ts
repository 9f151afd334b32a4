import { readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';

async function running(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // A zombie counts as gone.
  return stat !== '' && !/^\d+ \(.*\) Z/.test(stat);
}
/** Whether none of these processes runs any more. */
export const allGone = async (pids: readonly number[]): Promise<boolean> =>
  !(await Promise.all(pids.map(running))).includes(true);

/** Process of the browser that holds the profile below a folder. */
export const holderOf = async (folder: string): Promise<number> =>
  Number((await readlink(join(folder, 'browser', 'SingletonLock'))).split('-').at(-1));
