import { defineConfig } from 'vitest/config';
import { longestFirst } from '../longest-first.ts';
import { workerArguments } from '../worker-arguments.ts';

const sequencer = longestFirst(new URL('./', import.meta.url), ['pages', 'profiles', 'simulator', 'live', 'status']);

export default defineConfig({
  ssr: { resolve: { conditions: ['development', 'module', 'node'] } },
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/browser/build.ts'],
    pool: 'forks',
    execArgv: workerArguments,
    experimental: { fsModuleCache: true, fsModuleCachePath: '.cache/vitest' },
    // As many as there are cores: the pages and the agents keep them busy.
    maxWorkers: 2,
    // What the files import is the whole agent, which takes seconds to load.
    isolate: false,
    sequence: { sequencer },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The agents parse each answer by its own schema.
    env: { SCONCE_VERIFY_ANSWERS: '1' },
    reporters: ['default'],
  },
});
