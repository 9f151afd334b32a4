import type { AnyActorLogic } from 'xstate';

import { powerMachine } from '#machines/power/machine.ts';

import type { ChildSpec } from './kit/spec.ts';

/** What the power actor is wired to. */
export interface PowerDeps {
  /** The profile's power driver. */
  readonly driver: AnyActorLogic;
}

/** Rebooting: permanent; asked to stop, it ends at once. */
export const powerSpec = ({ driver }: PowerDeps): ChildSpec => ({
  id: 'power',
  logic: powerMachine.provide({ actors: { machine: driver } }),
  restart: 'permanent',
  stop: { event: { type: 'power.stop' }, withinMs: 50 },
});
