import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { chromiumArguments, chromiumForPages } from './program.ts';

declare module 'vitest' {
  /** What the files of tests are given. */
  interface ProvidedContext {
    /** Where the one Chromium of all files is reached; undefined where there is none. */
    readonly chromium: string | undefined;
  }
}

const required = (process.env['SCONCE_REQUIRE'] ?? '').split(',').includes('browser');

/** Starts the browser that all files share; each test has windows of its own in it. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  if (!required && !existsSync(chromiumForPages)) {
    console.warn(`SKIPPED browser: no Chromium at ${chromiumForPages} (apt-get install chromium)`);
    project.provide('chromium', undefined);
    return () => Promise.resolve();
  }
  const server = await chromium.launchServer({
    host: '127.0.0.1',
    executablePath: chromiumForPages,
    args: [...chromiumArguments, '--host-resolver-rules=MAP panel.local 127.0.0.1'],
  });
  project.provide('chromium', server.wsEndpoint());
  return () => server.close();
};
