// Runs one vitest configuration and writes what became of every test:
// suite.mjs CONFIG REPORT [--project=NAME ...] [--branches=FOLDER:FLOOR] [FILTER ...]
// With a floor it says how many percent of the branches in a folder's modules ran, and fails below that.
import { writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startVitest } from 'vitest/node';

const [config, report, ...asked] = process.argv.slice(2);
const project = asked.flatMap((word) => (word.startsWith('--project=') ? [word.slice('--project='.length)] : []));
const [, folder, floor] = asked.map((word) => /^--branches=(.+):([\d.]+)$/.exec(word)).find(Boolean) ?? [];
const filters = asked.filter((word) => !word.startsWith('--'));

const firstLine = (error) => String(error?.message ?? error).split('\n')[0];

const tests = [];
/** What went wrong around tests: in what a file or a group of it sets up or clears away. */
const around = [];
const errors = [];
const write = () => writeFileSync(report, JSON.stringify({ tests, around, errors }));

/** The file and each group that a test is in, the innermost first. */
function* above({ parent }) {
  if (parent === undefined) return;
  yield parent;
  yield* above(parent);
}

const record = {
  onTestRunEnd(modules, unhandled) {
    for (const error of unhandled) errors.push(`outside a test: ${firstLine(error)}`);
    for (const module of modules) {
      const file = relative(process.cwd(), module.moduleId);
      const broken = [module, ...module.children.allSuites()].filter((group) => group.errors().length > 0);
      for (const group of broken) {
        const what = group === module ? file : `${file} > ${group.fullName}`;
        for (const error of group.errors()) around.push({ file, failure: `${what}: ${firstLine(error)}` });
      }
      for (const test of module.children.allTests()) {
        const { state, note } = test.result();
        const hasNotRun = state === 'skipped' && [...above(test)].some((group) => broken.includes(group));
        tests.push({ file, name: test.fullName, state: hasNotRun ? 'not run' : state, note: note ?? null });
      }
    }
    write();
  },
  // Called after that, and only where all tests passed.
  onCoverage(map) {
    const { total, covered } = map.getCoverageSummary().branches;
    // Rounded down, so that what is printed is not better than it is.
    const percent = total === 0 ? 0 : Math.floor((1000 * covered) / total) / 10;
    console.log(`${folder}: ${percent} % of branches (floor ${floor})`);
    if (percent >= Number(floor)) return;
    errors.push(`${folder}: ${percent} % of branches, less than the floor of ${floor}`);
    write();
  },
};

const coverage = {
  enabled: true,
  provider: 'custom',
  customProviderModule: fileURLToPath(new URL('branches.mjs', import.meta.url)),
  include: [`${folder}/**/*.{ts,mjs}`],
  reporter: [],
  reportsDirectory: join(dirname(report), 'coverage'),
};

if (folder !== undefined) process.env.SCONCE_BRANCHES_OF = folder;
const chosen = project.length > 0 ? { project } : {};
const vitest = await startVitest('test', filters, {
  config,
  run: true,
  watch: false,
  reporters: ['default', record],
  ...chosen,
  ...(folder === undefined ? {} : { coverage }),
});
await vitest.close();
