import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a Raspberry Pi keeps the one line of arguments for its kernel, beginning with Debian 12. */
const commandLines = ['boot/firmware/cmdline.txt', 'boot/cmdline.txt'];

function text(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/**
 * What doctor says where the kernel counts no memory for services (cgroup v2 without its controller `memory`, as a
 * Raspberry Pi starts): the unit's `MemoryHigh` does nothing there. Null where it counts, where systemd runs no unit,
 * and where nobody can tell. `root` is that of the file system.
 */
export function memoryNote(root = '/'): string | null {
  const controllers = text(join(root, 'sys/fs/cgroup/cgroup.controllers'));
  if (controllers === null || controllers.split(/\s+/).includes('memory')) return null;
  if (!existsSync(join(root, 'run/systemd/system'))) return null;
  const file = commandLines.find((path) => existsSync(join(root, path)));
  const where = file === undefined ? 'to the command line of the kernel' : `to the one line of /${file}`;
  return `This kernel does not count the memory of services, so the limit in the unit of Sconce does nothing. Add cgroup_enable=memory ${where} and restart the machine.`;
}
