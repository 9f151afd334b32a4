// The steps of the tests, in their order. `lane` as in lanes.mjs; `budgetS` in seconds, on two cores with a filled
// cache; `allS` where `bin/test all` does more in it, null where it has no budget then. `onlyInAll`: not in a plain
// run. `prepare` installs what the step needs before any step runs; its outcome is passed to `run`.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { execute, silent } from './execute.mjs';
import { command, script, skipped, suite } from './steps.mjs';

// Bounds are far from the budgets: they end what hangs, also on a slow machine.
const minutes = (n) => n * 60_000;

const found = (...programs) =>
  programs.find((program) => (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, program))));

/** Home Assistant that the integration still supports (`drivers/companion/distribution/hacs.json`). */
const OLDEST = '2026.6.4';

const lastLine = ({ tail }) => tail.split('\n').at(-1) ?? '';

/** The skip of a step whose means could not be installed; null where they are there. */
function missing(name, what, outcome) {
  if (outcome.code === 77) return skipped(name, lastLine(outcome));
  if (outcome.late) return skipped(name, `${what}: it took too long`);
  return outcome.code === 0 ? null : skipped(name, `${what}: ${lastLine(outcome)}`);
}

const npmScript =
  (name, withinMs, more = {}) =>
  (at) =>
    command(name, 'npm', ['run', '--silent', name], { withinMs, env: { ...process.env, ...more }, at });

/**
 * How linter and compiler look at types beside other steps: on one thread, since each further one checks for itself
 * what the first has checked, and seldom collecting memory. Together that takes a quarter less of the processor's time.
 */
const onOneThread = { GOMAXPROCS: '1', GOGC: '400' };

async function node24(cache, at) {
  const folder = join(cache, 'node24');
  const bin = join(folder, 'node_modules/node/bin');
  if (!existsSync(join(bin, 'node'))) {
    const install = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--no-save', 'node@24'];
    const outcome = await execute('npm', install, { withinMs: minutes(5), at: silent });
    const lacking = missing('node24', 'Node 24 could not be installed', outcome);
    if (lacking) return lacking;
  }
  return suite('node24', 'test/vitest.config.ts', {
    withinMs: minutes(10),
    node: join(bin, 'node'),
    env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
    filters: ['machines', 'drivers', 'actors', 'profiles', 'routes', 'ui', 'rules'].map((room) => `test/${room}/`),
    at,
  });
}

/**
 * Percent of the branches of the decisions that the step `unit` has to run in `bin/test all`: to count them takes half
 * a minute of a core.
 */
const branches = { folder: 'machines', floor: 94 };

/** The steps, with what is cached below `cache` and installed with the environment `outside`. */
export function catalog(cache, outside) {
  // Installing works in root folders of its own, which do not have this run's temporary folder.
  // Setting up has no budget, since networks and discs differ: this bound only ends what hangs.
  const installer =
    (program, ...more) =>
    () =>
      execute(program, [cache, ...more], { withinMs: minutes(60), env: outside, at: silent });
  const inProject = (file) => join(process.cwd(), file);
  return [
    {
      name: 'real',
      lane: 'front',
      budgetS: 370,
      allS: 450,
      run: (at) => suite('real', 'test/vitest.config.ts', { withinMs: minutes(30), projects: ['real'], at }),
    },
    {
      name: 'client',
      lane: 'beside',
      budgetS: 50,
      // It may install its own packages first.
      run: (at) => script('client', inProject('test/client/run.mjs'), { withinMs: minutes(12), args: [cache], at }),
    },
    {
      name: 'fuzz',
      lane: 'beside',
      budgetS: 65,
      allS: 180,
      prepare: installer('test/fuzz/install.sh'),
      run: (at, outcome) => {
        const lacking = missing('fuzz', 'schemathesis could not be installed', outcome);
        if (lacking) return lacking;
        const program = outcome.tail.split('\n').find((line) => line.endsWith('/bin/schemathesis'));
        // A request takes 40 ms on a machine that does nothing else.
        const requests = Number(process.env.SCONCE_FUZZ_REQUESTS ?? 5000);
        const withinMs = minutes(3 + requests / 400);
        return script('fuzz', inProject('test/fuzz/run.mjs'), { withinMs, args: [program], at });
      },
    },
    {
      // Home Assistant's integration, with a panel that is made up: 30 s with the machine to itself.
      name: 'companion',
      lane: 'beside',
      budgetS: 100,
      prepare: installer('test/companion/install.sh'),
      run: (at, outcome) => {
        const lacking = missing('companion', "Home Assistant's test fixtures could not be installed", outcome);
        if (lacking) return lacking;
        const args = [cache, lastLine(outcome)];
        const more = { withinMs: minutes(6), args, twice: true, at };
        return script('companion', inProject('test/companion/run.mjs'), more);
      },
    },
    {
      // The same with the oldest Home Assistant, its types, and its own check of integrations where that can be had.
      name: 'companion-oldest',
      lane: 'beside',
      budgetS: 90,
      onlyInAll: true,
      prepare: installer('test/companion/install.sh', 'oldest'),
      run: (at, outcome) => {
        const lacking = missing('companion-oldest', 'The oldest Home Assistant could not be installed', outcome);
        if (lacking) return lacking;
        const args = [cache, lastLine(outcome), 'oldest'];
        return script('companion-oldest', inProject('test/companion/run.mjs'), { withinMs: minutes(12), args, at });
      },
    },
    {
      name: 'browser',
      lane: 'front',
      budgetS: 210,
      run: (at) =>
        found('chromium', 'chromium-browser', 'google-chrome')
          ? suite('browser', 'test/browser/vitest.config.ts', { withinMs: minutes(30), at })
          : skipped('browser', 'Chromium is not installed'),
    },
    {
      // The native connection with the oldest Home Assistant that the integration supports.
      name: 'platform-oldest',
      lane: 'front',
      budgetS: 300,
      onlyInAll: true,
      prepare: installer('test/platform/home-assistant/install.sh', OLDEST),
      run: (at, outcome) => {
        const name = 'platform-oldest';
        if (!found('mosquitto')) return skipped(name, 'mosquitto is not installed');
        const lacking = missing(name, 'The oldest Home Assistant could not be installed', outcome);
        if (lacking) return lacking;
        const env = { ...process.env, SCONCE_TEST_CACHE: cache, SCONCE_HOME_ASSISTANT: OLDEST };
        const filters = ['test/platform/companion'];
        return suite(name, 'test/platform/vitest.config.ts', { withinMs: minutes(30), env, filters, at });
      },
    },
    {
      name: 'hardware',
      lane: 'guest',
      budgetS: 210,
      allS: null,
      // Its cases build on each other, so it runs as a whole once more.
      run: (at) => script('hardware', inProject('test/hardware/run.mjs'), { withinMs: minutes(40), twice: true, at }),
    },
    {
      name: 'install',
      lane: 'guest',
      budgetS: 155,
      prepare: installer('test/install/root/prepare.sh'),
      run: (at, outcome) => {
        const lacking = missing('install', 'the root folder for it could not be made', outcome);
        if (lacking) return lacking;
        const env = { ...process.env, SCONCE_INSTALL_ROOT: join(cache, 'install-trixie') };
        return suite('install', 'test/install/root/vitest.config.ts', { withinMs: minutes(20), env, at });
      },
    },
    {
      name: 'platform',
      lane: 'guest',
      budgetS: 190,
      allS: null,
      prepare: installer('test/platform/install.sh'),
      run: (at, outcome) => {
        const lost = ['mosquitto', 'flite', 'pulseaudio', 'paplay', 'mpv'].find((program) => !found(program));
        if (lost !== undefined) return skipped('platform', `${lost} is not installed`);
        const lacking = missing('platform', 'Home Assistant or the recogniser could not be installed', outcome);
        if (lacking) return lacking;
        const env = { ...process.env, SCONCE_TEST_CACHE: cache };
        return suite('platform', 'test/platform/vitest.config.ts', { withinMs: minutes(100), env, at });
      },
    },
    {
      name: 'unit',
      lane: 'beside',
      budgetS: 280,
      run: (at) =>
        suite('unit', 'test/vitest.config.ts', {
          withinMs: minutes(30),
          projects: ['pure'],
          branches: process.env.SCONCE_TEST_ALL === '1' ? branches : null,
          at,
        }),
    },
    { name: 'lint', lane: 'beside', budgetS: 80, run: npmScript('lint', minutes(10), onOneThread) },
    { name: 'types', lane: 'beside', budgetS: 40, run: npmScript('types', minutes(10), onOneThread) },
    {
      // Files that hold something against the wall clock: beside others a slow answer would say nothing.
      name: 'timed',
      lane: 'alone',
      budgetS: 45,
      run: (at) => suite('timed', 'test/vitest.config.ts', { withinMs: minutes(15), projects: ['timed'], at }),
    },
    {
      name: 'durability',
      lane: 'alone',
      onlyInAll: true,
      budgetS: null,
      run: npmScript('durability', minutes(60)),
    },
    ...['trixie', 'bookworm'].map((release) => ({
      // What the README says, typed on a fresh Debian.
      name: `walk-${release}`,
      lane: 'alone',
      onlyInAll: true,
      budgetS: null,
      run: (at) =>
        script(`walk-${release}`, inProject('test/install/root/walk.sh'), {
          withinMs: minutes(60),
          args: [cache, release],
          env: outside,
          at,
        }),
    })),
    { name: 'node24', lane: 'alone', onlyInAll: true, budgetS: null, run: (at) => node24(cache, at) },
  ];
}

/** Seconds for a plain run as a whole, its set-up not counted. */
export const WHOLE_RUN_S = 600;
