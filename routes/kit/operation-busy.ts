import { refuse } from '#machines/kit/result.ts';
import { mayBegin } from '#machines/maintenance/admit.ts';
import type { JobKind, RunningJob } from '#machines/maintenance/events.ts';
import { busyWords } from '#machines/maintenance/words.ts';

import type { RouteDeps } from './deps.ts';
import type { Refusal } from './problem.ts';

/** The refusal of what cannot be done beside this operation, which it names. */
export const besideOperation = (running: RunningJob | null): Refusal<'operation-busy'> =>
  refuse('operation-busy', busyWords(running));

/** The same beside the operation that runs now. */
export const operationBusy = ({ registry }: Pick<RouteDeps, 'registry'>): Refusal<'operation-busy'> =>
  besideOperation(registry.read('maintenance')?.context.running ?? null);

/** Why such an operation cannot begin now; null if it can. It decides whether a person is asked at the panel. */
export function whyBusy(deps: Pick<RouteDeps, 'registry'>, kind: JobKind): Refusal<'operation-busy'> | null {
  const running = deps.registry.read('maintenance')?.context.running ?? null;
  return mayBegin(running, kind) ? null : operationBusy(deps);
}
