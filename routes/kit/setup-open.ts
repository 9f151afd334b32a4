import { goesOn } from '#machines/setup/progress.ts';
import type { RouteDeps } from './deps.ts';

/** True if steps of the setup are open after a sign-in, and were not postponed. */
export function isSetupOpen(deps: RouteDeps): boolean {
  const setup = deps.registry.read('setup')?.context;
  return setup !== undefined && goesOn(setup);
}
