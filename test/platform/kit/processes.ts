import { readdirSync, readFileSync } from 'node:fs';

interface Row {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

const rows = (): Row[] =>
  readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      // After the closing bracket of the name: state, then the parent (proc_pid_stat(5)).
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      return [
        { pid: Number(name), parent, command: readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ') },
      ];
    } catch {
      // It ended between the two looks.
      return [];
    }
  });

/** Every process that descends from `root` and whose command line matches. */
export function descendants(root: number, pattern: RegExp): readonly number[] {
  const all = rows();
  const family = new Set([root]);
  for (let grown = true; grown;) {
    grown = false;
    for (const { pid, parent } of all) {
      if (!family.has(parent) || family.has(pid)) continue;
      family.add(pid);
      grown = true;
    }
  }
  return all
    .filter(({ pid, command }) => pid !== root && family.has(pid) && pattern.test(command))
    .map(({ pid }) => pid);
}

/**
 * Chromium below the process of an agent: the browser itself, not one of its processes, which have its flags too and
 * may have lower numbers; an idle one of them may die without anybody seeing it.
 */
export function browserOf(agent: number): number {
  const [pid] = descendants(agent, /^(?!.*--type=).*--remote-debugging-pipe/);
  if (pid === undefined) throw new Error('no browser runs below the agent');
  return pid;
}
