// How one step of the tests is run and counted: {passed, failures, skips, again}. `again` runs the tests that failed
// once more, each file alone, and answers the failures that pass then; absent where nothing can be run again.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execute, live } from './execute.mjs';

/** As `worker-arguments.ts` gives it to the processes that this one starts. */
const collector = '--single-threaded-gc';

const seconds = (ms) => `${Math.round(ms / 1000)} s`;
const count = (passed, failures, skips = [], again = null) => ({ passed, failures, skips, again });

/** One command that passes or fails as a whole. */
export async function command(name, program, args, { withinMs, env = process.env, at = live }) {
  const { code, late } = await execute(program, args, { withinMs, env, at });
  if (code === 0 && !late) return count(1, []);
  return count(0, [late ? `${name}: not done within ${seconds(withinMs)}` : `${name}: exit code ${code}`]);
}

/**
 * A test skipped by a condition has no note; the reason stands in its name: "(skipped: no camera)", "(skipped for
 * root)" or "skipped: no camera" at its end.
 */
const reasonInName = (name) =>
  /\(skipped:? ([^)]+)\)/.exec(name)?.[1] ?? /skipped: (.+)$/.exec(name)?.[1] ?? 'no reason given';

const nameOf = (test) => `${test.file} > ${test.name}`;
const hasFailed = (test) => test.state === 'failed' || test.state === 'pending';

async function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'sconce-suite-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A vitest configuration, counted test by test; `projects` and `filters` choose among its tests. A suite that ran
 * nothing has failed, and so has one that runs less of the branches in the modules of a folder (`branches.folder`) than
 * `branches.floor` percent.
 */
export async function suite(
  name,
  config,
  { withinMs, node = process.execPath, env = process.env, filters = [], projects = [], branches = null, at = live },
) {
  if (!existsSync(config)) return count(0, [`${name}: ${config} is missing`]);
  const chosen = projects.map((project) => `--project=${project}`);
  const measured = branches === null ? [] : [`--branches=${branches.folder}:${branches.floor}`];
  const run = (into, words) =>
    execute(node, [collector, 'test/run/suite.mjs', config, into, ...chosen, ...words], { withinMs, env, at });
  const { code, late, tests, around, errors } = await inFolder(async (folder) => {
    const report = join(folder, 'report.json');
    const ended = await run(report, [...measured, ...filters]);
    const found = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : { tests: null };
    return { ...ended, ...found };
  });
  if (late) return count(0, [`${name}: not done within ${seconds(withinMs)}`]);
  if (tests === null) return count(0, [`${name}: ended without a report, exit code ${code}`]);
  const failed = tests.filter(hasFailed);
  // A test whose set-up failed has not run; that is one failure, however many they are.
  const failures = [...failed.map(nameOf), ...around.map(({ failure }) => failure), ...errors];
  const passed = tests.filter((test) => test.state === 'passed').length;
  const skips = tests
    .filter((test) => test.state === 'skipped')
    .map((test) => ({ what: nameOf(test), reason: test.note ?? reasonInName(test.name) }));
  if (tests.length === 0) failures.push(`${name}: ran no test`);
  else if (code !== 0 && failures.length === 0) failures.push(`${name}: exit code ${code}`);
  // A configuration may run several files at a time; what failed beside others gets the machine to itself.
  const again = () =>
    inFolder(async (folder) => {
      const now = new Set();
      for (const [index, file] of [...new Set([...failed, ...around].map((one) => one.file))].entries()) {
        const report = join(folder, `again-${index}.json`);
        const ended = await run(report, [file]);
        if (ended.late || !existsSync(report)) continue;
        const found = JSON.parse(readFileSync(report, 'utf8'));
        for (const test of found.tests) if (test.state === 'passed') now.add(nameOf(test));
        if (found.around.length > 0 || found.tests.some(hasFailed)) continue;
        for (const one of around) if (one.file === file) now.add(one.failure);
      }
      return failures.filter((failure) => now.has(failure));
    });
  return count(passed, failures, skips, again);
}

/** What a script says of its tests, line by line: `ok name`, `failed: name`, each with more after ` | `, or TAP. */
function namedIn(tail) {
  const names = (pattern) =>
    tail.split('\n').flatMap((line) => {
      const said = pattern.exec(line)?.[1];
      return said === undefined ? [] : [{ name: said.split(' | ')[0], said }];
    });
  return {
    passed: new Set(names(/^ok (?:\d+ - )?(.+)$/).map(({ name }) => name)),
    failed: names(/^(?:failed: |not ok (?:\d+ - )?)(.+)$/),
  };
}

/**
 * A script with a count of its own in its last line, or none, and lines as `namedIn` reads them, and `skipped: what:
 * reason`; exit code 77 means that it skipped itself, its last line says why. With `twice` it can be run once more, as
 * a whole.
 */
export async function script(name, file, { withinMs, args = [], env = process.env, twice = false, at = live }) {
  // A module need not be executable.
  const [program, before] = file.endsWith('.mjs') ? [process.execPath, [file]] : [file, []];
  const run = () => execute(program, [...before, ...args], { withinMs, env, at });
  const { code, late, tail } = await run();
  const last = tail.split('\n').at(-1) ?? '';
  if (late) return count(0, [`${name}: not done within ${seconds(withinMs)}`]);
  if (code === 77) return count(0, [], [{ what: name, reason: last.replace(/^skipped: /, '') }]);
  const totals = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/.exec(last);
  if (!totals) return code === 0 ? count(1, []) : count(0, [`${name}: exit code ${code}`]);
  const passed = Number(totals[1]);
  const { failed } = namedIn(tail);
  const told = ({ said }) => `${name}: ${said}`;
  const failures = failed.map(told);
  for (let number = 1; number <= Number(totals[2]) - failed.length; number += 1)
    failures.push(`${name}: failure ${number}, see above`);
  if (code !== 0 && failures.length === 0) failures.push(`${name}: exit code ${code}`);
  const skips = tail.split('\n').flatMap((line) => {
    const [, what, reason] = /^skipped: (.+?): (.+)$/.exec(line) ?? [];
    return what === undefined ? [] : [{ what, reason }];
  });
  if (passed === 0 && failures.length === 0 && skips.length === 0) failures.push(`${name}: ran no test`);
  const again = async () => {
    const now = namedIn((await run()).tail).passed;
    return failed.filter((test) => now.has(test.name)).map(told);
  };
  return count(passed, failures, skips, twice ? again : null);
}

/** A step that this machine lacks the means for. */
export const skipped = (what, reason) => count(0, [], [{ what, reason }]);
