import { defineConfig } from 'vitest/config';

export default defineConfig({
  ssr: { resolve: { conditions: ['development', 'module', 'node'] } },
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    exclude: ['test/platform/**', 'test/browser/**', 'test/install/root/**', 'test/rules/bad/**'],
    pool: 'forks',
    execArgv: ['--conditions=development'],
    testTimeout: 20_000,
    reporters: ['default'],
  },
});
