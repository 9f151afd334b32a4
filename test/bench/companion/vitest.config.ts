import { defineConfig } from 'vitest/config';

// Not a test: it measures for `run.mjs`.
export default defineConfig({
  ssr: { resolve: { conditions: ['development', 'module', 'node'] } },
  test: {
    include: ['test/bench/companion/measure.ts'],
    pool: 'forks',
    testTimeout: 600_000,
    hookTimeout: 120_000,
    reporters: ['default'],
  },
});
