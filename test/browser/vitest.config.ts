import { defineConfig } from 'vitest/config';

export default defineConfig({
  ssr: { resolve: { conditions: ['development', 'module', 'node'] } },
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/browser/build.ts'],
    pool: 'forks',
    // One browser at a time: panels and continuous integration have few cores.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The agents parse each answer by its own schema.
    env: { SCONCE_VERIFY_ANSWERS: '1' },
    reporters: ['default'],
  },
});
