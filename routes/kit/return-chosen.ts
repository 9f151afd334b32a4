import { progressOf } from '#machines/setup/progress.ts';
import { returnAfter } from '#machines/setup/return-after.ts';
import type { RouteDeps } from './deps.ts';

/** The idle return in minutes that the setup saves with a home dashboard; null if the saved one stays. */
export function returnChosen(deps: RouteDeps): number | null {
  const saved = Number(deps.registry.read('settings')?.context.values['dashboard_idle_return_min'] ?? 0);
  const setup = deps.registry.read('setup')?.context;
  const chosen = returnAfter(saved, setup === undefined || progressOf(setup).complete);
  return chosen === saved ? null : chosen;
}
