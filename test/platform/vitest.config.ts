import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// The longest first, so that none of them is left for the end. Most of their time they wait for something that lasts:
// a calibration, the ping of a page, a Home Assistant that starts.
const order = ['device', 'frozen', 'killed', 'on-the-wall', 'outage', 'sign-in', 'dashboard', 'announcement'].map(
  (name) => `${name}.test.ts`,
);
for (const name of order)
  if (!existsSync(new URL(name, import.meta.url))) throw new Error(`${name} stands in the order and is missing`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = (file: TestSpecification): number => order.indexOf(basename(file.moduleId));
    return files.toSorted((one, other) => place(one) - place(other));
  }
}

export default defineConfig({
  ssr: { resolve: { conditions: ['development', 'module', 'node'] } },
  test: {
    include: ['test/platform/**/*.test.ts'],
    globalSetup: ['test/browser/build.ts', 'test/platform/shared.ts'],
    pool: 'forks',
    maxWorkers: 3,
    // The files share nothing that one of them changes, and loading the agent's schemas anew takes seconds.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // The agents parse each answer by its own schema.
    env: { SCONCE_VERIFY_ANSWERS: '1' },
    reporters: ['default'],
  },
});
