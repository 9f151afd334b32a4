import { refuse } from '#machines/kit/result.ts';
import type { RouteDeps } from './deps.ts';
import type { Refusal } from './problem.ts';

/** Refuses a request once shutdown has begun, before any of it is parsed (contract, "Errors"). */
export const unlessStopping =
  ({ stopping }: Pick<RouteDeps, 'stopping'>): (() => Refusal<'stopping'> | null) =>
  () =>
    stopping()
      ? refuse('stopping', 'The agent is stopping and accepts no more requests. Try again when it is back.')
      : null;
