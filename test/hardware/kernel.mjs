import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';

/**
 * Modules the guest needs, with their parameters: the shared folder, the ACPI video driver that makes the backlight,
 * devices that a process makes (uhid) with the drivers of what it plugs in, and a GPIO chip, a microphone and a camera
 * that the kernel simulates. The microphone has one user at a time, as those of a panel.
 */
const WANTED = [
  'virtio_pci',
  '9pnet_virtio',
  '9p',
  'video',
  'uhid',
  'hid-generic',
  'evdev',
  'input-leds',
  'hid-playstation',
  'hid-led',
  'hid-mcp2221',
  'sht3x',
  'gpio-sim',
  'hid-sensor-hub',
  'hid-sensor-als',
  'hid-sensor-prox',
  'hid-sensor-temperature',
  'snd-aloop pcm_substreams=1',
  'vivid n_devs=1 node_types=0x1 num_inputs=1 input_types=0x0',
];
/** Debian release whose kernel has gpio-sim; the tests have its root folder for Home Assistant already. */
const NEWER_SUITE = 'forky';
/** Largest download of one kernel; the newer one has 124 MB. */
const PACKAGES_MOST_BYTES = 400e6;
/** Space that fetching and unpacking takes at most for a while. */
const FREE_LEAST_BYTES = 1.5e9;
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

const run = (tool, args, options = {}) =>
  execFileSync(tool, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 300_000,
    encoding: 'utf8',
    maxBuffer: 64e6,
    ...options,
  });
const named = (line) =>
  basename(line)
    .replace(/\.ko.*$/, '')
    .replaceAll('-', '_');

/**
 * Wanted modules and what they depend on, in the order of loading, as `[path, parameters]`; paths are relative to the
 * module folder.
 */
function loadOrder(modulesDep) {
  const needs = new Map(
    modulesDep
      .trim()
      .split('\n')
      .map((line) => line.split(':'))
      .map(([path, rest]) => [path, rest.trim().split(/\s+/).filter(Boolean)]),
  );
  const byName = new Map([...needs.keys()].map((path) => [named(path), path]));
  const order = new Map();
  const add = (path, parameters) => {
    if (order.has(path)) return;
    // What is needed last is written first, as modprobe reads it.
    for (const need of (needs.get(path) ?? []).toReversed()) add(need, '');
    order.set(path, parameters);
  };
  for (const wanted of WANTED) {
    const [name, ...parameters] = wanted.split(' ');
    const path = byName.get(named(name));
    // What is missing from the list is built into the kernel, or this kernel does not have it.
    if (path) add(path, parameters.join(' '));
  }
  return [...order];
}

/**
 * Settings of an apt of its own that knows one other release from the mirror which this machine uses; nothing of the
 * machine changes.
 */
function aptOf(suite, work) {
  const mirror = run('apt-get', ['indextargets', '--format', '$(REPO_URI)|$(ORIGIN)|$(LABEL)', 'Created-By: Packages'])
    .split('\n')
    .map((line) => line.split('|'))
    .find(([, origin, label]) => origin === 'Debian' && label === 'Debian')?.[0];
  if (!mirror) throw new Error('apt here has no source of Debian');
  const folder = join(work, 'apt');
  for (const part of ['state/lists/partial', 'cache/archives/partial', 'empty'])
    mkdirSync(join(folder, part), { recursive: true });
  writeFileSync(join(folder, 'status'), '');
  writeFileSync(
    join(folder, 'sources.list'),
    `deb [arch=amd64${existsSync(KEYRING) ? ` signed-by=${KEYRING}` : ''}] ${mirror} ${suite} main\n`,
  );
  writeFileSync(
    join(folder, 'apt.conf'),
    [
      `Dir::State "${folder}/state";`,
      `Dir::State::status "${folder}/status";`,
      `Dir::Cache "${folder}/cache";`,
      `Dir::Etc::sourcelist "${folder}/sources.list";`,
      `Dir::Etc::sourceparts "${folder}/empty";`,
      `Dir::Etc::preferencesparts "${folder}/empty";`,
      // The folder may be closed to apt's own user.
      `APT::Sandbox::User "root";`,
      `Acquire::Languages "none";`,
      // A mirror may have stopped following a release that still changes: its list is signed, and has what it names.
      `Acquire::Check-Valid-Until "false";`,
      `Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";`,
    ].join('\n'),
  );
  const env = { ...process.env, APT_CONFIG: join(folder, 'apt.conf') };
  run('apt-get', ['-q', 'update'], { env, timeout: 120_000 });
  return env;
}

/**
 * Packages that hold the kernel itself and its modules: what `linux-image-amd64` leads to, directly or over one more
 * step.
 */
function packagesOf(env) {
  const needs = (name) =>
    [...run('apt-cache', ['depends', name], { env }).matchAll(/Depends: (linux-(?:image|modules|binary)-\S+)/g)].map(
      ([, found]) => found,
    );
  const image = needs('linux-image-amd64')[0];
  if (!image) throw new Error('apt knows no linux-image-amd64');
  const parts = needs(image);
  return parts.length > 0 ? parts : [image];
}

function fetchPackages(env, names, into) {
  const bytes = names
    .map((name) => Number(/^Size: (\d+)$/m.exec(run('apt-cache', ['show', '--no-all-versions', name], { env }))?.[1]))
    .reduce((sum, size) => sum + size, 0);
  if (!(bytes <= PACKAGES_MOST_BYTES)) throw new Error(`the kernel's packages have ${Math.round(bytes / 1e6)} MB`);
  mkdirSync(into);
  run('apt-get', ['download', '-q', ...names], { env, cwd: into });
}

/** Puts `vmlinuz`, `release` and `modules/` with their order into a folder. */
function pick(root, kernel) {
  // From Debian 13 on the modules are under /usr/lib.
  if (!existsSync(join(root, 'lib'))) symlinkSync('usr/lib', join(root, 'lib'));
  const release = readdirSync(join(root, 'lib/modules'))[0];
  run('depmod', ['-b', root, release]);
  const modules = join(root, 'lib/modules', release);
  mkdirSync(join(kernel, 'modules'), { recursive: true });
  const order = loadOrder(readFileSync(join(modules, 'modules.dep'), 'utf8')).map(([path, parameters]) => {
    const file = join(kernel, 'modules', basename(path));
    cpSync(join(modules, path), file);
    if (file.endsWith('.xz')) run('xz', ['-d', file]);
    return `${basename(path).replace(/\.xz$/, '')} ${parameters}`.trim();
  });
  const image = [join(root, 'boot', `vmlinuz-${release}`), join(modules, 'vmlinuz')].find((path) => existsSync(path));
  if (!image) throw new Error('the packages hold no kernel');
  cpSync(image, join(kernel, 'vmlinuz'));
  writeFileSync(join(kernel, 'release'), `${release}\n`);
  writeFileSync(join(kernel, 'modules/order'), `${order.join('\n')}\n`);
}

function cached(cache, suite) {
  const folder = join(
    cache,
    `linux-${suite}-${createHash('sha256').update(WANTED.join('\n')).digest('hex').slice(0, 8)}`,
  );
  if (existsSync(join(folder, 'release'))) return folder;
  mkdirSync(cache, { recursive: true });
  const { bavail, bsize } = statfsSync(cache);
  if (bavail * bsize < FREE_LEAST_BYTES) throw new Error('less than 1.5 GB free in the test cache');
  const work = mkdtempSync(join(cache, 'unpack-'));
  try {
    const env = suite === 'own' ? process.env : aptOf(suite, work);
    fetchPackages(env, packagesOf(env), join(work, 'debs'));
    for (const deb of readdirSync(join(work, 'debs')))
      run('dpkg-deb', ['-x', join(work, 'debs', deb), join(work, 'root')]);
    pick(join(work, 'root'), join(work, 'kernel'));
    // One of each kind is kept, whatever the list of modules was before.
    for (const old of readdirSync(cache))
      if (old.startsWith(`linux-${suite}-`) || old.startsWith('linux-image-'))
        rmSync(join(cache, old), { recursive: true, force: true });
    renameSync(join(work, 'kernel'), folder);
    return folder;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const reason = (error) => error.code ?? String(error.message).split('\n')[0];

/**
 * Downloads and unpacks a kernel of Debian once; answers its folder with `vmlinuz`, `release`, `modules/` and
 * `modules/order`, and why it is not the newer one (null when it is). Throws where there is none.
 */
export function cachedKernel(cache) {
  let without = process.env.SCONCE_GUEST_KERNEL === 'own' ? 'asked for with SCONCE_GUEST_KERNEL=own' : null;
  if (!without) {
    try {
      return { folder: cached(cache, NEWER_SUITE), without: null };
    } catch (error) {
      without = `the kernel of Debian ${NEWER_SUITE} could not be fetched (${reason(error)})`;
    }
  }
  return { folder: cached(cache, 'own'), without };
}
