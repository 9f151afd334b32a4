import { readdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

import { readProc } from '#drivers/kit/read-proc.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

/** Most processes of the machine that are inspected. */
const PROCESS_LIMIT = 8192;
/**
 * Bytes per memory page in `statm`; larger pages exist only on machines that this driver's browser does not support.
 */
const PAGE_BYTES = 4096;

const read = (path: string): Promise<string | null> => readProc(path).catch(() => null);

/** Parent's id in the text of `/proc/<pid>/stat`; the process name before it may contain spaces and brackets. */
export function parentIn(stat: string): number | null {
  const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  return Number.isInteger(parent) ? parent : null;
}

/** A process and its descendants, itself first. */
export async function processTree(root: number): Promise<readonly number[]> {
  const names = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).slice(0, PROCESS_LIMIT);
  const children = new Map<number, number[]>();
  await Promise.all(
    names.map(async (name) => {
      const stat = await read(`/proc/${name}/stat`);
      const parent = stat === null ? null : parentIn(stat);
      if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
    }),
  );
  const found = [root];
  for (let index = 0; index < found.length; index += 1) found.push(...(children.get(found[index] ?? root) ?? []));
  return found;
}

/** Time between two checks of killed processes. */
const LOOK_MS: Milliseconds = 5;

/** True if a process runs; one that has ended and was not reaped yet (`Z`, `X`) does not. */
async function runs(pid: number): Promise<boolean> {
  const stat = await read(`/proc/${pid}/stat`);
  return stat !== null && !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
}

/** Settles once none of these processes runs, or after `withinMs`. */
export async function untilGone(pids: readonly number[], withinMs: Milliseconds): Promise<void> {
  const deadline = performance.now() + withinMs;
  const allGone = async (): Promise<boolean> => !(await Promise.all(pids.map(runs))).includes(true);
  // oxlint-disable-next-line no-await-in-loop -- this is a wait for a condition
  while (!(await allGone()) && performance.now() < deadline) await pause(LOOK_MS);
}

async function memoryOf(pid: number): Promise<number> {
  const rollup = await read(`/proc/${pid}/smaps_rollup`);
  const pss = rollup === null ? undefined : /^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1];
  if (pss !== undefined) return Number(pss) * 1024;
  // The rollup of sandboxed processes is closed even to their own user; only their unshared memory is known.
  const [, resident = 0, shared = 0] = ((await read(`/proc/${pid}/statm`)) ?? '').split(' ').map(Number);
  return Math.max(0, resident - shared) * PAGE_BYTES;
}

/**
 * Memory of a process and its descendants, in bytes: proportional set size, which counts shared pages once (measured
 * with Chromium 156).
 */
export async function treeMemory(root: number): Promise<number> {
  const shares = await Promise.all((await processTree(root)).map(memoryOf));
  return shares.reduce((sum, share) => sum + share, 0);
}
