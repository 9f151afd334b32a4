import { progressOf } from '#machines/setup/progress.ts';
import type { RouteDeps } from './deps.ts';

/** Whether the panel still has to be set up, and nobody put that off. */
export const isSetupDue = (deps: RouteDeps): boolean => {
  const setup = deps.registry.read('setup')?.context;
  return setup !== undefined && progressOf(setup).due;
};
