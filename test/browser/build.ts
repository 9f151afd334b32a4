import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Builds the bundle that the tests start: what users run is what is looked at. */
export const setup = (): void => {
  const build = fileURLToPath(new URL('../../bin/build.mjs', import.meta.url));
  execFileSync(process.execPath, [build], { stdio: 'inherit' });
};
