import { mayBegin } from '#machines/maintenance/admit.ts';
import type { JobKind } from '#machines/maintenance/events.ts';
import { busyWords } from '#machines/maintenance/words.ts';

import type { RouteDeps } from './deps.ts';
import type { Refusal } from './problem.ts';

/** The refusal of what cannot be done beside the operation that runs, which it names. */
export const operationBusy = ({ registry }: Pick<RouteDeps, 'registry'>): Refusal<'operation-busy'> => ({
  ok: false,
  reason: 'operation-busy',
  message: busyWords(registry.read('maintenance')?.context.running ?? null),
});

/** Why such an operation cannot begin now; null if it can. It decides whether a person is asked at the panel. */
export function whyBusy(deps: Pick<RouteDeps, 'registry'>, kind: JobKind): Refusal<'operation-busy'> | null {
  const running = deps.registry.read('maintenance')?.context.running ?? null;
  return mayBegin(running, kind) ? null : operationBusy(deps);
}
