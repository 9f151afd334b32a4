// Compares two builds of the agent in alternating pairs, by starts on a panel of which nothing is known, with all that
// is optional off: node test/bench/pairs.mjs [ONE/sconce.cjs OTHER/sconce.cjs [PAIRS]]
// Without names it is the agent against the one with ten more subsystems, which test/scenarios/ten-doorbells.test.ts
// builds with SCONCE_TEST_ALL=1. Times are the lower quartile of each side, since other work on the machine only ever
// adds to them; beside them are the ratios within each pair, which say how much that was. Memory is
// that of agents side by side once they rest: soon after a start it depends on how much of the space for new objects
// the last collection left untouched, which is megabytes.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { end, endAll, freePort, processorMs, quantile, residentMb, start, startTimes } from './measure.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const [one = join(root, 'dist/sconce.cjs'), other = join(root, '.cache/doorbells/dist/sconce.cjs'), pairs = '60'] =
  process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'sconce-pairs-'));

/** How many agents of each build rest side by side, and how long, in milliseconds. */
const resting = 5;
const restMs = 60_000;

/** Starts a build in a data folder that is not new after the first start. */
async function launch(bundle, data) {
  const port = await freePort();
  const args = ['run', '--data', join(folder, data), '--port', String(port), '--profile', 'linux'];
  return startTimes(() => start(process.execPath, [bundle, ...args, '--renderer', 'none', '--no-discovery']), port);
}

async function measure(bundle, data) {
  const { program, first, ready } = await launch(bundle, data);
  const processor = processorMs(program);
  await end(program);
  return { first, ready, processor };
}

/** The middle memory of the agents of each build, in MB. */
async function memories() {
  const sides = [[], []];
  for (let turn = 0; turn < resting; turn += 1)
    for (const [side, bundle] of [one, other].entries())
      sides[side].push((await launch(bundle, `rest-${side}-${turn}`)).program);
  await pause(restMs);
  return sides.map((programs) => quantile(programs.map(residentMb), 0.5));
}

const rows = [
  ['start to first 200', 'first'],
  ['start to the page /', 'ready'],
  ['processor time until then', 'processor'],
];

try {
  for (const bundle of [one, other]) if (!existsSync(bundle)) throw new Error(`${bundle} is missing`);
  const found = [];
  for (let turn = 0; turn <= Number(pairs); turn += 1) {
    const sides = [
      [one, 'one'],
      [other, 'other'],
    ];
    if (turn % 2 === 1) sides.reverse();
    const pair = {};
    for (const [bundle, data] of sides) pair[data] = await measure(bundle, data);
    // The first pair warms the file cache and generates the identities.
    if (turn > 0) found.push(pair);
  }
  const widths = [29, 8, 8, 5, 22];
  const line = (cells) => console.log(`| ${cells.map((cell, index) => cell.padEnd(widths[index])).join(' | ')} |`);
  line(['', 'one', 'other', 'ratio', 'within each pair']);
  console.log(`|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  for (const [name, key] of rows) {
    const [ours, theirs] = ['one', 'other'].map((side) =>
      quantile(
        found.map((pair) => pair[side][key]),
        0.25,
      ),
    );
    const ratios = found.map((pair) => pair.other[key] / pair.one[key]);
    const [from, middle, to] = [0.25, 0.5, 0.75].map((q) => quantile(ratios, q).toFixed(3));
    line([
      name,
      `${ours.toFixed(1)} ms`,
      `${theirs.toFixed(1)} ms`,
      (theirs / ours).toFixed(3),
      `${middle} (${from} to ${to})`,
    ]);
  }
  const memory = await memories();
  const [ours, theirs] = memory.map((mb) => `${mb.toFixed(1)} MB`);
  line([`RSS ${restMs / 1000} s later, ${resting} of each`, ours, theirs, (memory[1] / memory[0]).toFixed(3), '']);
} catch (error) {
  console.error(`cannot measure: ${error.message}`);
  process.exitCode = 1;
} finally {
  await endAll();
  rmSync(folder, { recursive: true, force: true });
}
