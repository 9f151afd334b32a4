import type { FaultEvent } from './actor.ts';

/** Params of the action that emits a fault. */
export type Fault = Omit<FaultEvent, 'type'>;

/**
 * Params for the action that emits a fault, from an invoke's error event; `operation` is the code of what failed, such
 * as `announced-read`.
 */
export const faultIn =
  (operation: string) =>
  ({ event }: { readonly event: { readonly error: unknown } }): Fault => ({ operation, error: event.error });

/** The event that reports an error which did not end the machine. */
export const faultEvent = (fault: Fault): FaultEvent => ({ type: 'fault', ...fault });
