import { defineConfig } from 'vitest/config';

// One machine at a time: each starts a whole system.
export default defineConfig({
  test: {
    include: ['test/install/root/*.test.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 120_000,
    reporters: ['default'],
  },
});
