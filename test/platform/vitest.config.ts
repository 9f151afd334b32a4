import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { longestFirst } from '../longest-first.ts';
import { workerArguments } from '../worker-arguments.ts';

const sequencer = longestFirst(new URL('./', import.meta.url), [
  'outage',
  'voice',
  'killed',
  'lifecycle',
  'companion-lifecycle',
  'companion-move',
  'house',
  'light-source',
  'device',
  'companion',
  'on-the-wall',
  'sign-in',
]);

// What `bin/test all` alone runs, since each has a browser of its own: one waits for a minute, one has 2,000 entities,
// one starts its agent twice, one has a Home Assistant in a network of its own, and one has its Home Assistant killed,
// frozen and held back beside a dashboard, which other files do with less.
const lasting = ['dark-screen', 'house', 'killed', 'mark', 'companion-network'].map(
  (name) => `test/platform/${name}.test.ts`,
);
for (const file of lasting)
  if (!existsSync(new URL(`../../${file}`, import.meta.url))) throw new Error(`${file} is listed by name and missing`);

export default defineConfig({
  ssr: { resolve: { conditions: ['development', 'module', 'node'] } },
  test: {
    include: ['test/platform/**/*.test.ts'],
    exclude: process.env['SCONCE_TEST_ALL'] === '1' ? [] : lasting,
    globalSetup: ['test/browser/build.ts', 'test/platform/shared.ts'],
    pool: 'forks',
    execArgv: workerArguments,
    experimental: { fsModuleCache: true, fsModuleCachePath: '.cache/vitest' },
    // More than there are cores: most of their time they wait for something that lasts, such as a calibration, the ping
    // of a page or a Home Assistant that starts.
    maxWorkers: 4,
    // The files share nothing that one of them changes, and loading the agent's schemas again takes seconds.
    isolate: false,
    sequence: { sequencer },
    testTimeout: 60_000,
    // On a busy machine Home Assistant's pages take longer than the usual second to lay themselves out.
    expect: { poll: { timeout: 10_000 } },
    // Longer than Home Assistant may take to start, so that it is the wait for that which fails, and says why.
    hookTimeout: 360_000,
    // The agents parse each answer by its own schema.
    env: { SCONCE_VERIFY_ANSWERS: '1' },
    reporters: ['default'],
  },
});
