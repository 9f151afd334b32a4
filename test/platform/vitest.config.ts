import { defineConfig } from 'vitest/config';

// One file after the other: each has a broker and a Home Assistant of its own and measures seconds.
export default defineConfig({
  test: {
    include: ['test/platform/**/*.test.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 240_000,
    // The agents parse each answer by its own schema.
    env: { SCONCE_VERIFY_ANSWERS: '1' },
    reporters: ['default'],
  },
});
