import { defineConfig } from 'vitest/config';

export default defineConfig({
  ssr: { resolve: { conditions: ['development', 'module', 'node'] } },
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    exclude: ['test/platform/**', 'test/browser/**', 'test/rules/bad/**'],
    pool: 'forks',
    execArgv: ['--conditions=development'],
    // Node 20 lets a process give up root only when it is started without io_uring.
    env: { UV_USE_IO_URING: '0' },
    testTimeout: 20_000,
    reporters: ['default'],
  },
});
