import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

// `bin/test all` alone runs these: they install the same program in other ways than the kiosk, which every run does.
const lasting = ['test/install/root/given.test.ts', 'test/install/root/user.test.ts'];
for (const file of lasting)
  if (!existsSync(new URL(`../../../${file}`, import.meta.url)))
    throw new Error(`${file} is listed by name and missing`);

// One machine at a time: each starts a whole system.
export default defineConfig({
  test: {
    include: ['test/install/root/*.test.ts'],
    exclude: process.env['SCONCE_TEST_ALL'] === '1' ? [] : lasting,
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 120_000,
    reporters: ['default'],
  },
});
