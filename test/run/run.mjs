// Runs the steps of the tests one after the other and adds them up. bin/test starts it after the set-up.
// Arguments are names of steps (all when none is given). SCONCE_REQUIRE names what must not be skipped.
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closing, command, endRunning, execute, script, skipped, suite } from './steps.mjs';

process.chdir(join(dirname(fileURLToPath(import.meta.url)), '../..'));
const cache =
  process.env.SCONCE_TEST_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'sconce-test');
const minutes = (n) => n * 60_000;
const outside = { ...process.env };

const found = (...programs) =>
  programs.find((program) => (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, program))));

let installing;
const homeAssistant = () => {
  // Installing works in root folders of its own, which do not have this run's temporary folder.
  installing ??= execute('test/platform/home-assistant/install.sh', [cache], {
    withinMs: minutes(10),
    env: outside,
    show: false,
  });
  return installing;
};

const platform = async () => {
  if (!found('mosquitto')) return skipped('platform', 'mosquitto is not installed');
  const { code, late, tail } = await homeAssistant();
  const last = tail.split('\n').at(-1) ?? '';
  if (code === 77) return skipped('platform', last);
  if (late || code !== 0)
    return skipped('platform', `Home Assistant could not be installed: ${late ? 'it took too long' : last}`);
  return suite('platform', 'test/platform/vitest.config.ts', {
    withinMs: minutes(15),
    env: { ...process.env, SCONCE_TEST_CACHE: cache },
  });
};

let fetching;
const schemathesis = () => {
  fetching ??= execute('test/fuzz/install.sh', [cache], { withinMs: minutes(6), env: outside, show: false });
  return fetching;
};

const fuzz = async () => {
  const { code, late, tail } = await schemathesis();
  const lines = tail.split('\n');
  if (code === 77) return skipped('fuzz', lines.at(-1));
  const program = lines.find((line) => line.endsWith('/bin/schemathesis'));
  if (late || code !== 0 || program === undefined)
    return skipped('fuzz', `schemathesis could not be installed: ${late ? 'it took too long' : lines.at(-1)}`);
  const requests = Number(process.env.SCONCE_FUZZ_REQUESTS ?? 0);
  return script('fuzz', join(process.cwd(), 'test/fuzz/run.mjs'), {
    withinMs: minutes(5 + requests / 400),
    args: [program],
  });
};

// It may install its own packages first.
const client = () =>
  script('client', join(process.cwd(), 'test/client/run.mjs'), { withinMs: minutes(6), args: [cache] });

const browser = async () => {
  if (!found('chromium', 'chromium-browser', 'google-chrome')) return skipped('browser', 'Chromium is not installed');
  return suite('browser', 'test/browser/vitest.config.ts', { withinMs: minutes(12) });
};

const hardware = async () => {
  const file = existsSync('test/hardware')
    ? readdirSync('test/hardware').find((name) => /^run(\.sh|\.mjs)?$/.test(name))
    : undefined;
  if (!file) return null;
  return script('hardware', join(process.cwd(), 'test/hardware', file), {
    withinMs: minutes(12),
    // Its cases build on each other, so it runs as a whole once more.
    twice: true,
  });
};

let preparing;
const debianRoot = () => {
  // As above: its packages are set up in a root folder of its own.
  preparing ??= execute('test/install/root/prepare.sh', [cache], { withinMs: minutes(8), env: outside, show: false });
  return preparing;
};

const install = async () => {
  const { code, late, tail } = await debianRoot();
  const last = tail.split('\n').at(-1) ?? '';
  if (code === 77) return skipped('install', last);
  if (late || code !== 0)
    return skipped('install', `the root folder for it could not be made: ${late ? 'it took too long' : last}`);
  return suite('install', 'test/install/root/vitest.config.ts', {
    withinMs: minutes(5),
    env: { ...process.env, SCONCE_INSTALL_ROOT: join(cache, 'install-trixie') },
  });
};

const node24 = async () => {
  if (process.env.SCONCE_NODE24 !== '1' && process.env.CI !== 'true') return null;
  const folder = join(cache, 'node24');
  const bin = join(folder, 'node_modules/node/bin');
  if (!existsSync(join(bin, 'node'))) {
    const { code, late, tail } = await execute(
      'npm',
      ['install', '--prefix', folder, '--no-audit', '--no-fund', '--no-save', 'node@24'],
      {
        withinMs: minutes(5),
        show: false,
      },
    );
    if (code !== 0 || late)
      return skipped(
        'node24',
        `Node 24 could not be installed: ${late ? 'it took too long' : (tail.split('\n').at(-1) ?? code)}`,
      );
  }
  const rooms = ['machines', 'drivers', 'actors', 'profiles', 'routes', 'ui', 'rules']
    .map((room) => `test/${room}/`)
    .filter((room) => existsSync(room));
  return suite('node24', 'test/vitest.config.ts', {
    withinMs: minutes(6),
    node: join(bin, 'node'),
    env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
    filters: rooms,
  });
};

const steps = {
  lint: () => command('lint', 'npm', ['run', '--silent', 'lint'], { withinMs: minutes(3) }),
  types: () => command('types', 'npm', ['run', '--silent', 'types'], { withinMs: minutes(3) }),
  unit: async () => {
    // From here on tests watch the clock, so nothing else may be at work.
    if (installing) {
      console.log('first, Home Assistant is installed ...');
      await installing;
    }
    await preparing;
    await fetching;
    return suite('unit', 'test/vitest.config.ts', { withinMs: minutes(15) });
  },
  client,
  fuzz,
  browser,
  platform,
  install,
  hardware,
  node24,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(steps, name));
if (unknown.length > 0) {
  console.error(`unknown step: ${unknown.join(', ')}; there are: ${Object.keys(steps).join(', ')}`);
  process.exit(2);
}
const chosen = asked.length > 0 ? asked : Object.keys(steps);
const required = new Set(
  (process.env.SCONCE_REQUIRE ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean),
);

// Temporary files of this run go into one folder, so that what a test forgets is seen, and gone. All users may write
// there.
const scratch = mkdtempSync(join(tmpdir(), 'sconce-run-'));
chmodSync(scratch, 0o1777);
process.env.TMPDIR = scratch;
/** Removes the temporary files; answers what the tests should have removed themselves. */
const clearAway = () => {
  const left = readdirSync(scratch).filter((name) => name.startsWith('sconce-'));
  rmSync(scratch, { recursive: true, force: true });
  return left;
};

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    endRunning();
    clearAway();
    process.exit(130);
  });
}

/** Which requirement a skip touches: the step it is in, or the broker where a test says it lacked one. */
const requirementOf = (step, skip) =>
  /broker|mosquitto/i.test(`${skip.what} ${skip.reason}`) && !required.has(step) ? 'broker' : step;

if (chosen.includes('platform')) void homeAssistant();
if (chosen.includes('install')) void debianRoot();
if (chosen.includes('fuzz')) void schemathesis();
const totals = { passed: 0, failures: [], skips: [], unsteady: [] };
const lines = [];
for (const name of chosen) {
  const began = Date.now();
  console.log(`\n== ${name}`);
  let result;
  try {
    result = await steps[name]();
  } catch (error) {
    result = { passed: 0, failures: [`${name}: ${error.message}`], skips: [] };
  }
  if (result === null) {
    console.log('not part of this run');
    continue;
  }
  const kept = [];
  for (const skip of result.skips) {
    const requirement = requirementOf(name, skip);
    if (required.has(requirement))
      result.failures.push(`${skip.what}: skipped (${skip.reason}), but ${requirement} is required here`);
    else kept.push(skip);
  }
  totals.passed += result.passed;
  totals.failures.push(...result.failures);
  totals.skips.push(...kept);
  totals.unsteady.push(...(result.unsteady ?? []));
  const skippedPart = kept.length > 0 ? `, ${kept.length} skipped` : '';
  const took = `${Math.round((Date.now() - began) / 1000)} s`;
  lines.push(`${name}: ${result.passed} passed, ${result.failures.length} failed${skippedPart} (${took})`);
  console.log(lines.at(-1));
}

const left = clearAway();
// A test that ended early did not get to clearing up.
if (left.length > 0 && totals.unsteady.length === 0)
  totals.failures.push(`left in the temporary folder: ${left.join(', ')}`);
if (totals.passed + totals.failures.length === 0) totals.failures.push('nothing ran');
console.log('\n== result');
for (const line of lines) console.log(line);
for (const line of closing(totals)) console.log(line);
process.exitCode = totals.failures.length > 0 ? 1 : 0;
