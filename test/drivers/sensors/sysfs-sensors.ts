import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder that stands for `/`, filled as sysfs would be. */
export interface SysfsTree {
  readonly root: string;
  /** Writes files below the root. */
  readonly put: (files: Readonly<Record<string, string>>) => void;
  /** Renames a folder below the root, as a device that comes back gets another number. */
  readonly move: (from: string, to: string) => void;
  readonly end: () => void;
}

/** Makes one; each value ends with a line end, as the kernel's do. */
export function sysfsTree(files: Readonly<Record<string, string>> = {}): SysfsTree {
  const root = mkdtempSync(join(tmpdir(), 'sconce-sysfs-'));
  const put = (more: Readonly<Record<string, string>>): void => {
    for (const [path, text] of Object.entries(more)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), `${text}\n`);
    }
  };
  put(files);
  return {
    root,
    put,
    move: (from, to) => {
      mkdirSync(dirname(join(root, to)), { recursive: true });
      renameSync(join(root, from), join(root, to));
    },
    end: () => rmSync(root, { recursive: true, force: true }),
  };
}
