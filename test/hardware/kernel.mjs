import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Modules the guest needs: the shared folder, the ACPI video driver that makes the backlight, and input devices made by a process. */
const WANTED = ['virtio_pci', '9pnet_virtio', '9p', 'video', 'uhid', 'hid-generic', 'evdev'].map((name) => name.replaceAll('-', '_'));

const run = (tool, args, options = {}) => execFileSync(tool, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: 300_000, encoding: 'utf8', ...options });

/** Name of the Debian package that holds the kernel itself, `linux-image-6.1.0-56-amd64`. */
const kernelPackage = () => /Depends: (linux-image-\S+)/.exec(run('apt-cache', ['depends', 'linux-image-amd64']))?.[1];

/** Wanted modules and what they depend on, in the order of loading; paths relative to the module folder. */
const loadOrder = (modulesDep) => {
  const needs = new Map(
    modulesDep
      .trim()
      .split('\n')
      .map((line) => line.split(':'))
      .map(([path, rest]) => [path, rest.trim().split(/\s+/).filter(Boolean)]),
  );
  const byName = new Map([...needs.keys()].map((path) => [basename(path).replace(/\.ko.*$/, '').replaceAll('-', '_'), path]));
  const order = [];
  const add = (path) => {
    if (order.includes(path)) return;
    for (const need of needs.get(path) ?? []) add(need);
    order.push(path);
  };
  // What is missing from the list is built into the kernel.
  for (const name of WANTED) if (byName.has(name)) add(byName.get(name));
  return order;
};

/** Downloads and unpacks Debian's kernel once; answers the folder with `vmlinuz`, `modules/` and `modules/order`. Throws where it cannot. */
export const cachedKernel = (cache) => {
  const name = kernelPackage();
  if (!name) throw new Error('apt knows no linux-image-amd64');
  const folder = join(cache, `${name}-${createHash('sha256').update(WANTED.join(' ')).digest('hex').slice(0, 8)}`);
  if (existsSync(join(folder, 'modules/order'))) return folder;
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, 'unpack-'));
  try {
    run('apt-get', ['download', '-q', name], { cwd: work });
    const deb = readdirSync(work).find((file) => file.endsWith('.deb'));
    const root = join(work, 'root');
    run('dpkg-deb', ['-x', join(work, deb), root]);
    // From Debian 13 on the modules are under /usr/lib.
    if (!existsSync(join(root, 'lib'))) symlinkSync('usr/lib', join(root, 'lib'));
    const version = readdirSync(join(root, 'lib/modules'))[0];
    run('depmod', ['-b', root, version]);
    const modules = join(root, 'lib/modules', version);
    const kernel = join(work, 'kernel');
    mkdirSync(join(kernel, 'modules'), { recursive: true });
    const names = [];
    for (const path of loadOrder(readFileSync(join(modules, 'modules.dep'), 'utf8'))) {
      const file = join(kernel, 'modules', basename(path));
      cpSync(join(modules, path), file);
      if (file.endsWith('.xz')) run('xz', ['-d', file]);
      names.push(basename(path).replace(/\.xz$/, ''));
    }
    cpSync(join(root, 'boot', `vmlinuz-${version}`), join(kernel, 'vmlinuz'));
    writeFileSync(join(kernel, 'modules/order'), `${names.join('\n')}\n`);
    rmSync(folder, { recursive: true, force: true });
    renameSync(kernel, folder);
    return folder;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};
