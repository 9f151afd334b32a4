import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

import { cachedKernel } from './kernel.mjs';
import { guestArguments, runGuest } from './machine.mjs';
import { uncompressed, unsigned } from './uncompressed.mjs';

// Runs drivers and the whole agent in a QEMU guest against the kernel's own device classes: an ACPI backlight, and
// lamps, sensors, buttons and GPIO chips that a process plugs in and the kernel takes for real.

const all = process.env.SCONCE_TEST_ALL === '1';
/** Longest run of the guest; emulated, it takes two minutes, a thousand touches twelve, and more on a busy machine. */
const BOUND_MS = (all ? 55 : 18) * 60_000;
/** Tool, Debian package that brings it, and how to see whether it is there. */
const TOOLS = [
  ['qemu-system-x86_64', 'qemu-system-x86', ['--version']],
  ['iasl', 'acpica-tools', ['-v']],
  ['busybox', 'busybox-static', []],
  ['cpio', 'cpio', ['--version']],
  ['depmod', 'kmod', ['--version']],
  ['xz', 'xz-utils', ['--version']],
  ['apt-cache', 'apt', ['--version']],
  ['dpkg-deb', 'dpkg', ['--version']],
];
process.env.PATH = `${process.env.PATH}:/usr/sbin:/sbin`;

const here = dirname(fileURLToPath(import.meta.url));
const repository = join(here, '../..');
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'sconce-test');

function skip(reason) {
  console.log(`skipped: kernel classes in QEMU: ${reason}`);
  console.log('0 passed, 0 failed, 1 skipped');
  process.exit(0);
}
function installed(tool, args) {
  try {
    execFileSync(tool, args, { stdio: 'ignore', timeout: 20_000 });
    return true;
  } catch (error) {
    return error.code !== 'ENOENT';
  }
}

async function initramfs(work, kernel) {
  const root = join(work, 'initramfs');
  mkdirSync(join(root, 'bin'), { recursive: true });
  for (const folder of ['dev', 'proc', 'sys']) mkdirSync(join(root, folder));
  const busybox = execFileSync('sh', ['-c', 'command -v busybox'], { encoding: 'utf8' }).trim();
  cpSync(busybox, join(root, 'bin/busybox'), { dereference: true });
  mkdirSync(join(root, 'modules'));
  for (const name of readdirSync(join(kernel, 'modules')))
    writeFileSync(join(root, 'modules', name), unsigned(readFileSync(join(kernel, 'modules', name))));
  cpSync(join(here, 'guest-init.sh'), join(root, 'init'));
  chmodSync(join(root, 'init'), 0o755);
  writeFileSync(join(root, 'node'), process.execPath);
  // The guest's own /tmp hides the host's, and with it a repository that lies there.
  cpSync(join(repository, 'dist'), join(root, 'dist'), { recursive: true });
  cpSync(join(here, 'latency'), join(root, 'latency'), { recursive: true });
  for (const name of ['koffi', '@koromix']) {
    const folder = join(repository, 'node_modules', name);
    if (existsSync(folder)) cpSync(folder, join(root, 'node_modules', name), { recursive: true });
  }
  await build({
    entryPoints: [join(here, 'guest-cases.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // `ws` asks for Node's own modules as CommonJS does.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
    outfile: join(root, 'bundle.mjs'),
    define: Object.fromEntries(
      ['SCONCE_GUEST_ONLY', 'SCONCE_TEST_ALL', 'SCONCE_TOUCHES'].map((name) => [
        `process.env.${name}`,
        JSON.stringify(process.env[name] ?? ''),
      ]),
    ),
    logLevel: 'error',
  });
  const image = join(work, 'initramfs.img');
  execFileSync('sh', ['-c', `find . | cpio -o -H newc --quiet > ${image}`], { cwd: root });
  return image;
}

const missing = TOOLS.filter(([tool, , args]) => !installed(tool, args)).map(([, name]) => name);
if (process.arch !== 'x64') skip('the guest needs an x86 machine');
if (missing.length > 0) skip(`not installed: ${missing.join(', ')}`);
let kernel;
let without;
try {
  ({ folder: kernel, without } = cachedKernel(cache));
} catch (error) {
  skip(`Debian's kernel could not be fetched (${error.code ?? error.message.split('\n')[0]})`);
}
// bin/test has built it; agents of steps beside this one run from it.
if (process.env.SCONCE_BUILT !== '1')
  execFileSync('bash', ['-ec', 'root=$1; . "$root/bin/setup/agent.sh"; ensure_bundle', 'bash', repository], {
    stdio: 'inherit',
    timeout: 300_000,
  });
const work = mkdtempSync(join(tmpdir(), 'sconce-guest-'));
try {
  execFileSync('iasl', ['-p', join(work, 'backlight'), join(here, 'backlight.asl')], { stdio: 'ignore' });
  const args = guestArguments({
    kernel: uncompressed(join(kernel, 'vmlinuz'), join(work, 'vmlinux')),
    image: await initramfs(work, kernel),
    acpiTable: join(work, 'backlight.aml'),
  });
  const { lines, ranBy, complaint } = await runGuest(args, {
    withinMs: BOUND_MS,
    onLine: (line) => {
      if (process.env.SCONCE_GUEST_CONSOLE) console.error(line);
    },
  });
  console.log(`kernel ${readFileSync(join(kernel, 'release'), 'utf8').trim()} on ${ranBy}`);
  const said = lines.filter((line) => line.startsWith('SCONCE ')).map((line) => line.slice('SCONCE '.length));
  const passed = said.filter((line) => line.startsWith('ok '));
  const failed = said.filter((line) => line.startsWith('failed '));
  const skipped = said
    .filter((line) => line.startsWith('skipped '))
    .map((line) => line.slice('skipped '.length).split(' | '));
  for (const line of [...passed, ...failed]) console.log(line.replace(/^failed /, 'failed: '));
  for (const line of said.filter((one) => one.startsWith('note '))) console.log(line.slice('note '.length));
  for (const [title, reason] of skipped) console.log(`skipped: ${title}: ${reason}${without ? `; ${without}` : ''}`);
  const whole = said.some((line) => line.startsWith('done '));
  if (!whole) {
    console.log('the guest did not finish; the end of its console:');
    console.log([...lines.slice(-25), complaint].join('\n'));
    console.log('failed: the guest did not finish');
  }
  const skippedPart = skipped.length > 0 ? `, ${skipped.length} skipped` : '';
  console.log(`${passed.length} passed, ${failed.length + (whole ? 0 : 1)} failed${skippedPart}`);
  process.exitCode = whole && failed.length === 0 ? 0 : 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
