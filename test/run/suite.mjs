// Runs one vitest configuration and writes what became of every test:
// suite.mjs CONFIG REPORT [--project=NAME ...] [FILTER ...]
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { startVitest } from 'vitest/node';

const [config, report, ...asked] = process.argv.slice(2);
const project = asked.flatMap((word) => (word.startsWith('--project=') ? [word.slice('--project='.length)] : []));
const filters = asked.filter((word) => !word.startsWith('--project='));

const firstLine = (error) => String(error?.message ?? error).split('\n')[0];

const record = {
  onTestRunEnd(modules, unhandled) {
    const tests = [];
    const errors = unhandled.map((error) => `outside a test: ${firstLine(error)}`);
    for (const module of modules) {
      const file = relative(process.cwd(), module.moduleId);
      for (const error of module.errors()) errors.push(`${file}: ${firstLine(error)}`);
      for (const suite of module.children.allSuites()) {
        for (const error of suite.errors()) errors.push(`${file} > ${suite.fullName}: ${firstLine(error)}`);
      }
      for (const test of module.children.allTests()) {
        const result = test.result();
        tests.push({ file, name: test.fullName, state: result.state, note: result.note ?? null });
      }
    }
    writeFileSync(report, JSON.stringify({ tests, errors }));
  },
};

const chosen = project.length > 0 ? { project } : {};
const vitest = await startVitest('test', filters, {
  config,
  run: true,
  watch: false,
  reporters: ['default', record],
  ...chosen,
});
await vitest.close();
