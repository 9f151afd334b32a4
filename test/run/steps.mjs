// How one step of the tests is run, bounded in time and counted.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const running = new Set();

const signalGroup = (pid, signal) => {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
};

/** Ends whatever step is running; called when the runner itself is told to stop. */
export const endRunning = () => {
  for (const pid of running) signalGroup(pid, 'SIGKILL');
};

/**
 * Runs a command in a process group of its own; after `withinMs` the whole group is killed. Output is shown, its last
 * lines kept.
 */
export const execute = (command, args, { withinMs, env = process.env, show = true }) =>
  new Promise((resolve) => {
    const child = spawn(command, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let tail = '';
    let late = false;
    const keep = (stream) => (chunk) => {
      if (show) stream.write(chunk);
      tail = (tail + chunk).slice(-20_000);
    };
    child.stdout.on('data', keep(process.stdout));
    child.stderr.on('data', keep(process.stderr));
    const timer = setTimeout(() => {
      late = true;
      signalGroup(child.pid, 'SIGKILL');
    }, withinMs);
    const done = (code) => {
      clearTimeout(timer);
      if (child.pid !== undefined) {
        running.delete(child.pid);
        // What a step left behind would disturb the next one.
        signalGroup(child.pid, 'SIGKILL');
      }
      resolve({ code, late, tail: tail.trimEnd() });
    };
    if (child.pid !== undefined) running.add(child.pid);
    child.once('error', () => done(127));
    child.once('exit', (code) => setTimeout(() => done(code ?? 1), 50));
  });

const seconds = (ms) => `${Math.round(ms / 1000)} s`;
const count = (passed, failures, skips = [], unsteady = []) => ({ passed, failures, skips, unsteady });

/** One command that passes or fails as a whole. */
export const command = async (name, program, args, { withinMs }) => {
  const { code, late } = await execute(program, args, { withinMs });
  if (code === 0 && !late) return count(1, []);
  return count(0, [late ? `${name}: not done within ${seconds(withinMs)}` : `${name}: exit code ${code}`]);
};

/**
 * A test skipped by a condition has no note; the reason stands in its name: "(skipped: no camera)", "(skipped for
 * root)" or "skipped: no camera" at its end.
 */
const reasonInName = (name) =>
  /\(skipped:? ([^)]+)\)/.exec(name)?.[1] ?? /skipped: (.+)$/.exec(name)?.[1] ?? 'no reason given';

/** Most failed tests that get a second look; more are no accident. */
const SECOND_LOOKS = 3;

const nameOf = (test) => `${test.file} > ${test.name}`;
const hasFailed = (test) => test.state === 'failed' || test.state === 'pending';

/**
 * Runs the files of the few tests that failed once more, each alone. A test that passes then is no failure of the
 * program; it is told as unsteady, which is a defect of the test and has to be found.
 */
const secondLook = async (tests, run, folder) => {
  const failed = tests.filter(hasFailed);
  if (failed.length === 0 || failed.length > SECOND_LOOKS) return [];
  const passed = new Set();
  for (const [index, file] of [...new Set(failed.map((test) => test.file))].entries()) {
    const again = join(folder, `again-${index}.json`);
    // A configuration may run several files at a time.
    const { late } = await run(again, [file]);
    if (late || !existsSync(again)) continue;
    for (const test of JSON.parse(readFileSync(again, 'utf8')).tests)
      if (test.state === 'passed') passed.add(nameOf(test));
  }
  return failed.map(nameOf).filter((name) => passed.has(name));
};

/** A vitest configuration, counted test by test. A suite that ran nothing has failed. */
export const suite = async (name, config, { withinMs, node = process.execPath, env = process.env, filters = [] }) => {
  if (!existsSync(config)) return count(0, [`${name}: ${config} is missing`]);
  const folder = mkdtempSync(join(tmpdir(), 'sconce-suite-'));
  const report = join(folder, 'report.json');
  try {
    const run = (into, chosen) => execute(node, ['test/run/suite.mjs', config, into, ...chosen], { withinMs, env });
    const { code, late } = await run(report, filters);
    if (late) return count(0, [`${name}: not done within ${seconds(withinMs)}`]);
    if (!existsSync(report)) return count(0, [`${name}: ended without a report, exit code ${code}`]);
    const { tests, errors } = JSON.parse(readFileSync(report, 'utf8'));
    const unsteady = await secondLook(tests, run, folder);
    const passed = tests.filter((test) => test.state === 'passed').length + unsteady.length;
    const failures = tests
      .filter(hasFailed)
      .map(nameOf)
      .filter((test) => !unsteady.includes(test));
    const skips = tests
      .filter((test) => test.state === 'skipped')
      .map((test) => ({ what: nameOf(test), reason: test.note ?? reasonInName(test.name) }));
    failures.push(...errors);
    if (tests.length === 0) failures.push(`${name}: ran no test`);
    else if (code !== 0 && failures.length === 0 && unsteady.length === 0) failures.push(`${name}: exit code ${code}`);
    return count(passed, failures, skips, unsteady);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** What a script says of its tests, line by line: `ok name`, `failed: name`, each with more after ` | `, or TAP. */
const namedIn = (tail) => {
  const names = (pattern) =>
    tail.split('\n').flatMap((line) => {
      const said = pattern.exec(line)?.[1];
      return said === undefined ? [] : [{ name: said.split(' | ')[0], said }];
    });
  return {
    passed: new Set(names(/^ok (?:\d+ - )?(.+)$/).map(({ name }) => name)),
    failed: names(/^(?:failed: |not ok (?:\d+ - )?)(.+)$/),
  };
};

/**
 * A script with a count of its own in its last line, or none, and lines as `namedIn` reads them, and `skipped: what:
 * reason`; exit code 77 means that it skipped itself, its last line says why. With `twice` the few that failed get the
 * second look of the suites: the script runs once more.
 */
export const script = async (name, file, { withinMs, args = [], env = process.env, twice = false }) => {
  // A module need not be executable.
  const [program, before] = file.endsWith('.mjs') ? [process.execPath, [file]] : [file, []];
  const run = () => execute(program, [...before, ...args], { withinMs, env });
  const { code, late, tail } = await run();
  const last = tail.split('\n').at(-1) ?? '';
  if (late) return count(0, [`${name}: not done within ${seconds(withinMs)}`]);
  if (code === 77) return count(0, [], [{ what: name, reason: last.replace(/^skipped: /, '') }]);
  const totals = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/.exec(last);
  if (!totals) return code === 0 ? count(1, []) : count(0, [`${name}: exit code ${code}`]);
  const { failed } = namedIn(tail);
  const unnamed = Math.max(0, Number(totals[2]) - failed.length);
  const mayLookAgain = twice && failed.length > 0 && failed.length <= SECOND_LOOKS && unnamed === 0;
  const passedAgain = mayLookAgain ? namedIn((await run()).tail).passed : new Set();
  const unsteady = failed.filter((test) => passedAgain.has(test.name)).map((test) => `${name}: ${test.name}`);
  const failures = failed.filter((test) => !passedAgain.has(test.name)).map((test) => `${name}: ${test.said}`);
  for (let number = 1; number <= unnamed; number += 1) failures.push(`${name}: failure ${number}, see above`);
  if (code !== 0 && failures.length === 0 && unsteady.length === 0) failures.push(`${name}: exit code ${code}`);
  const skips = tail.split('\n').flatMap((line) => {
    const [, what, reason] = /^skipped: (.+?): (.+)$/.exec(line) ?? [];
    return what === undefined ? [] : [{ what, reason }];
  });
  const passed = Number(totals[1]) + unsteady.length;
  if (passed === 0 && failures.length === 0 && skips.length === 0) failures.push(`${name}: ran no test`);
  return count(passed, failures, skips, unsteady);
};

/** A step that this machine lacks the means for. */
export const skipped = (what, reason) => count(0, [], [{ what, reason }]);

/**
 * The lines that a run ends with: what was skipped, one line per reason, then what failed, which so stands right above
 * the sum, also in an excerpt of the end.
 */
export const closing = ({ passed, failures, skips, unsteady }) => {
  const byReason = new Map();
  for (const { what, reason } of skips) byReason.set(reason, [...(byReason.get(reason) ?? []), what]);
  const sum = `${passed} passed, ${failures.length} failed`;
  return [
    ...[...byReason].map(([reason, [first, ...more]]) =>
      more.length === 0
        ? `skipped: ${first}: ${reason}`
        : `skipped: ${more.length + 1} tests: ${reason}; such as ${first}`,
    ),
    ...unsteady.map((name) => `unsteady: ${name}: failed at first and passed when it was run again; find its race`),
    ...failures.map((failure) => `failed: ${failure}`),
    skips.length > 0 ? `${sum}, ${skips.length} skipped` : sum,
  ];
};
