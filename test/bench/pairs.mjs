// Compares two builds of the agent in alternating pairs, by starts on a panel of which nothing is known, with all that
// is optional off: node test/bench/pairs.mjs [ONE/sconce.cjs OTHER/sconce.cjs [PAIRS]]
// Without names it is the agent against the one with ten more subsystems, which test/scenarios/ten-doorbells.test.ts
// builds with SCONCE_TEST_ALL=1. Each pair gives one ratio, so that a busy machine slows both sides of it.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { end, endAll, freePort, processorMs, quantile, residentMb, start, startTimes } from './measure.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const [one = join(root, 'dist/sconce.cjs'), other = join(root, '.cache/doorbells/dist/sconce.cjs'), pairs = '20'] =
  process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'sconce-pairs-'));

/** How long an agent rests before its memory is read, in milliseconds. */
const restMs = 3_000;

/** One start of a build, in a data folder that is not new after the first. */
async function measure(bundle, data) {
  const port = await freePort();
  const args = ['run', '--data', join(folder, data), '--port', String(port), '--profile', 'linux'];
  const launch = () => start(process.execPath, [bundle, ...args, '--renderer', 'none', '--no-discovery']);
  const { program, first, ready } = await startTimes(launch, port);
  const processor = processorMs(program);
  await pause(restMs);
  const result = { first, ready, processor, memory: residentMb(program) };
  await end(program);
  return result;
}

const rows = [
  ['start to first 200', 'first', 'ms'],
  ['start to the page /', 'ready', 'ms'],
  ['processor time until then', 'processor', 'ms'],
  [`RSS ${restMs / 1000} s later`, 'memory', 'MB'],
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
  console.log('|                           | one      | other    | middle ratio (quarters) |');
  console.log('|---------------------------|----------|----------|-------------------------|');
  for (const [name, key, unit] of rows) {
    const middle = (side) =>
      `${quantile(
        found.map((pair) => pair[side][key]),
        0.5,
      ).toFixed(1)} ${unit}`;
    const ratios = found.map((pair) => pair.other[key] / pair.one[key]);
    const [low, half, high] = [0.25, 0.5, 0.75].map((q) => quantile(ratios, q).toFixed(3));
    const cells = [name.padEnd(25), middle('one').padEnd(8), middle('other').padEnd(8), `${half} (${low} to ${high})`];
    console.log(`| ${cells.join(' | ')} |`);
  }
} catch (error) {
  console.error(`cannot measure: ${error.message}`);
  process.exitCode = 1;
} finally {
  await endAll();
  rmSync(folder, { recursive: true, force: true });
}
