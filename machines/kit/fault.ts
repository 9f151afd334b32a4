import type { FaultEvent } from './actor.ts';

/** What the action that emits a fault is given. */
export type Fault = Omit<FaultEvent, 'type'>;

/**
 * Params for the action that emits a fault, from an invoke's error event; `operation` says which failed:
 * `announced-read`.
 */
export const faultIn =
  (operation: string) =>
  ({ event }: { readonly event: { readonly error: unknown } }): Fault => ({ operation, error: event.error });

/** The event that tells those who listen of an error which did not end the machine. */
export const faultEvent = (fault: Fault): FaultEvent => ({ type: 'fault', ...fault });
