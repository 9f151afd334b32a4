import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a Raspberry Pi keeps the one line of arguments for its kernel, since Debian 12. */
const commandLines = ['boot/firmware/cmdline.txt', 'boot/cmdline.txt'];

function text(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/**
 * A note of doctor if the kernel does not account for the memory of services (cgroup v2 without its controller
 * `memory`, as a Raspberry Pi starts): the unit's `MemoryHigh` has no effect there. Null if it does, if systemd runs no
 * unit, and if it cannot be determined. `root` is that of the file system.
 */
export function memoryNote(root = '/'): string | null {
  const controllers = text(join(root, 'sys/fs/cgroup/cgroup.controllers'));
  if (controllers === null || controllers.split(/\s+/).includes('memory')) return null;
  if (!existsSync(join(root, 'run/systemd/system'))) return null;
  const file = commandLines.find((path) => existsSync(join(root, path)));
  const where = file === undefined ? 'to the command line of the kernel' : `to the one line of /${file}`;
  return `This kernel does not account for the memory of services, so the memory limit of Sconce's unit has no effect. Add cgroup_enable=memory ${where} and restart the machine.`;
}
