import { defineConfig } from 'vitest/config';

// Not a test: it takes the pictures that the READMEs show (npm run record-pictures).
export default defineConfig({
  ssr: { resolve: { conditions: ['development', 'module', 'node'] } },
  test: {
    include: ['test/platform/pictures/pictures.ts'],
    globalSetup: ['test/browser/build.ts', 'test/platform/shared.ts'],
    pool: 'forks',
    testTimeout: 180_000,
    hookTimeout: 120_000,
    reporters: ['default'],
  },
});
