import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Builds the bundle that the tests start: what users run is what is looked at. */
export function setup(): void {
  // bin/test has built it; agents of steps beside this one run from it.
  if (process.env['SCONCE_BUILT'] === '1') return;
  const build = fileURLToPath(new URL('../../bin/build.mjs', import.meta.url));
  execFileSync(process.execPath, [build], { stdio: 'inherit' });
}
