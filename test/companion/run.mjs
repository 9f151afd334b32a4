// Tests Home Assistant's integration with a panel that is made up, over real sockets: run.mjs CACHE VENV, which is
// what install.sh printed. With `oldest` behind them, it tests with the oldest Home Assistant, checks the types, and
// has Home Assistant check the integration. Everything runs on a copy below the root folder of the tests with a real
// one.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const [cache, venv, ...more] = process.argv.slice(2);
const isOldest = more[0] === 'oldest';
const chosen = more.slice(isOldest ? 1 : 0);
if (cache === undefined || venv === undefined) {
  console.error('run.mjs CACHE VENV [oldest] [TEST...]');
  process.exit(2);
}
const root = join(cache, 'root-forky');
/** They take 15 s alone; slower than this is a hang. */
const WITHIN_MS = 240_000;

function inside(folder, program, args, env = []) {
  const { uid, gid } = userInfo();
  const entry = uid === 0 ? ['chroot', root] : ['sudo', '-n', 'chroot', `--userspec=${uid}:${gid}`, root];
  const kept = ['HOME=/srv', 'PATH=/usr/bin:/bin', 'LANG=C.UTF-8', 'PYTHONDONTWRITEBYTECODE=1', ...env];
  const words = ['/usr/bin/env', '-i', '-C', folder.slice(root.length), ...kept, `${venv}/bin/${program}`, ...args];
  const { status, signal, stdout, error } = spawnSync(entry[0], [...entry.slice(1), ...words], {
    env: { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` },
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    timeout: WITHIN_MS,
    killSignal: 'SIGKILL',
    maxBuffer: 64 * 1024 * 1024,
  });
  return { code: status, said: error ? `${error.message}\n${stdout ?? ''}` : stdout, late: signal === 'SIGKILL' };
}

/** What is tested, as Home Assistant finds it: beside the tests, below a `custom_components`. */
function copy(folder) {
  cpSync(here('../../drivers/companion/custom_components'), join(folder, 'custom_components'), { recursive: true });
  writeFileSync(join(folder, 'custom_components/__init__.py'), '"""Made for the tests."""\n');
  cpSync(here('integration'), join(folder, 'tests'), { recursive: true });
  for (const name of ['pytest.ini', 'ruff.toml', 'mypy.ini']) cpSync(here(name), join(folder, name));
  cpSync(here('vectors.json'), join(folder, 'tests/vectors.json'));
}

const indented = (text) => text.trim().replaceAll(/^/gm, '    ');

function style(folder) {
  return [
    ['check', '--no-cache', '--output-format=concise', '.'],
    ['format', '--no-cache', '--diff', '.'],
  ].map((args) => {
    const { code, said } = inside(folder, 'ruff', args);
    return { name: `ruff ${args[0]}`, outcome: code === 0 ? 'passed' : 'failed', detail: said };
  });
}

function types(folder) {
  const { code, said } = inside(folder, 'mypy', ['--no-error-summary', 'custom_components/sconce']);
  return [{ name: 'mypy', outcome: code === 0 ? 'passed' : 'failed', detail: said }];
}

/** Home Assistant's own check of integrations. */
function hassfest(folder) {
  const name = 'hassfest';
  const core = readdirSync(join(root, 'srv')).find((found) => found.startsWith('hassfest-'));
  if (core === undefined)
    return [{ name, outcome: 'skipped', detail: "Home Assistant's repository could not be fetched" }];
  const args = ['-m', 'script.hassfest', '--action', 'validate', '--integration-path', 'custom_components/sconce'];
  const { code, said } = inside(folder, 'python3', args, [`PYTHONPATH=/srv/${core}`]);
  return [{ name, outcome: code === 0 ? 'passed' : 'failed', detail: said }];
}

function tests(folder) {
  const report = join(folder, 'report.json');
  const asked = ['-q', '--show-capture=no', ...(chosen.length > 0 ? chosen : ['tests'])];
  const env = [`SCONCE_REPORT=${report.slice(root.length)}`];
  const { code, said, late } = inside(folder, 'python3', ['-m', 'pytest', ...asked], env);
  const found = existsSync(report) ? Object.entries(JSON.parse(readFileSync(report, 'utf8'))) : [];
  const told = found.map(([name, test]) => ({ name, ...test }));
  const failed = told.some(({ outcome }) => outcome === 'failed');
  if (late) told.push({ name: 'pytest', outcome: 'failed', detail: `not done within ${WITHIN_MS / 1000} s\n${said}` });
  else if (told.length === 0 || (code !== 0 && !failed))
    told.push({ name: 'pytest', outcome: 'failed', detail: `exit code ${code}\n${said}` });
  return told;
}

mkdirSync(join(root, 'srv/runs'), { recursive: true });
const folder = mkdtempSync(join(root, 'srv/runs/companion-'));
try {
  copy(folder);
  const checks = isOldest ? [...types(folder), ...hassfest(folder)] : style(folder);
  const all = [...checks, ...tests(folder)];
  const of = (outcome) => all.filter((test) => test.outcome === outcome);
  for (const { name } of of('passed')) console.log(`ok ${name}`);
  for (const { name, detail } of of('skipped')) console.log(`skipped: ${name}: ${detail}`);
  for (const { name, detail } of of('failed')) console.log(`failed: ${name}\n${indented(detail)}`);
  const skipped = of('skipped').length === 0 ? '' : `, ${of('skipped').length} skipped`;
  console.log(`${of('passed').length} passed, ${of('failed').length} failed${skipped}`);
  process.exitCode = of('failed').length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
