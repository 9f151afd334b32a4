// Runs the steps of the tests (catalog.mjs) and adds them up. bin/test starts it after the set-up. Arguments are names
// of steps, and `all`, which leaves nothing out. SCONCE_REQUIRE names what must not be skipped; SCONCE_SECOND_LOOKS how
// many failed tests may be run again.
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { catalog, WHOLE_RUN_S } from './catalog.mjs';
import { endRunning } from './execute.mjs';
import { runLanes } from './lanes.mjs';
import { closing, overBudget, secondLook, table } from './result.mjs';

process.chdir(join(dirname(fileURLToPath(import.meta.url)), '../..'));
const cache =
  process.env.SCONCE_TEST_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'sconce-test');
const steps = catalog(cache, { ...process.env });

const words = process.argv.slice(2);
const all = words.includes('all');
const asked = words.filter((word) => word !== 'all');
const unknown = asked.filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) {
  const names = steps.map(({ name }) => name).join(', ');
  console.error(`unknown step: ${unknown.join(', ')}; there are: ${names}; and all, which leaves nothing out`);
  process.exit(2);
}
// Who asks for the unit tests gets those with real processes, and those that hold something against the clock, too.
const withUnit = ['real', 'timed'];
const named = (step) => asked.includes(step.name) || (asked.includes('unit') && withUnit.includes(step.name));
const chosen = steps.filter((step) => (asked.length > 0 ? named(step) : all || !step.onlyInAll));
if (all) process.env.SCONCE_TEST_ALL = '1';
const budgetOf = ({ budgetS, allS = budgetS }) => (all ? allS : budgetS);
const required = new Set(
  (process.env.SCONCE_REQUIRE ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean),
);
const secondsSince = (began) => (Date.now() - began) / 1000;

// Temporary files of this run go into one folder, so that what a test forgets is seen, and gone. All users may write
// there.
const scratch = mkdtempSync(join(tmpdir(), 'sconce-run-'));
chmodSync(scratch, 0o1777);
process.env.TMPDIR = scratch;
/** Removes the temporary files; answers what the tests should have removed themselves. */
function clearAway() {
  const left = readdirSync(scratch).filter((name) => name.startsWith('sconce-'));
  rmSync(scratch, { recursive: true, force: true });
  return left;
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    endRunning();
    clearAway();
    process.exit(130);
  });
}

const preparing = Date.now();
console.log('== set-up');
/** Prepares a step, and says when that is done: the first time it takes minutes. */
async function prepare(step) {
  if (!step.prepare) return [step, null];
  const outcome = await step.prepare();
  console.log(
    `${step.name}: ${outcome.code === 0 ? 'prepared' : 'not prepared'} (${Math.round(secondsSince(preparing))} s)`,
  );
  return [step, outcome];
}
const prepared = new Map(await Promise.all(chosen.map(prepare)));
console.log(`set-up: ${Math.round(secondsSince(preparing))} s`);

/** Which requirement a skip touches: the step it is in, or the broker where a test says it lacked one. */
const requirementOf = (step, skip) =>
  /broker|mosquitto/i.test(`${skip.what} ${skip.reason}`) && !required.has(step) ? 'broker' : step;

function refuseSkips(name, result) {
  const kept = [];
  for (const skip of result.skips) {
    const requirement = requirementOf(name, skip);
    if (required.has(requirement))
      result.failures.push(`${skip.what}: skipped (${skip.reason}), but ${requirement} is required here`);
    else kept.push(skip);
  }
  return { ...result, skips: kept };
}

const began = Date.now();
const results = await runLanes(chosen, async (step, at) => {
  const started = Date.now();
  let result;
  try {
    result = await step.run(at, prepared.get(step));
  } catch (error) {
    result = { passed: 0, failures: [`${step.name}: ${error.message}`], skips: [], again: null };
  }
  const row = {
    ...refuseSkips(step.name, result),
    name: step.name,
    seconds: secondsSince(started),
    budgetS: budgetOf(step),
  };
  const skippedPart = row.skips.length > 0 ? `, ${row.skips.length} skipped` : '';
  const took = `${Math.round(row.seconds)} s${row.budgetS === null ? '' : ` of ${row.budgetS} s`}`;
  at.say(`${row.name}: ${row.passed} passed, ${row.failures.length} failed${skippedPart} (${took})\n`);
  for (const line of overBudget(row)) at.say(`${line}\n`);
  return row;
});
const seconds = secondsSince(began);
const unsteady = await secondLook(results, Number(process.env.SCONCE_SECOND_LOOKS ?? 0));

const whole = {
  name: 'whole',
  passed: results.reduce((sum, { passed }) => sum + passed, 0),
  failures: results.flatMap(({ failures }) => failures),
  skips: results.flatMap(({ skips }) => skips),
  seconds,
  budgetS: all || asked.length > 0 ? null : WHOLE_RUN_S,
};
const left = clearAway();
// A test that ended early did not get to clearing up.
if (left.length > 0 && unsteady.length === 0) whole.failures.push(`left in the temporary folder: ${left.join(', ')}`);
if (whole.passed + whole.failures.length === 0) whole.failures.push('nothing ran');
console.log('\n== result');
for (const line of [...table([...results, whole]), ...closing({ ...whole, unsteady })]) console.log(line);
process.exitCode = whole.failures.length > 0 ? 1 : 0;
