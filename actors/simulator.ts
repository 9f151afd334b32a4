import type { AnyActorLogic } from 'xstate';

import { simulatorMachine } from '#machines/simulator/machine.ts';

import type { ChildSpec } from './kit/spec.ts';

/** What the simulator's actor is wired to. */
export interface SimulatorDeps {
  /** The profile's simulator driver. */
  readonly driver: AnyActorLogic;
}

/** The hands on the simulated panel: permanent; asked to stop, it ends at once. */
export const simulatorSpec = ({ driver }: SimulatorDeps): ChildSpec => ({
  id: 'simulator',
  logic: simulatorMachine.provide({ actors: { panel: driver } }),
  restart: 'permanent',
  stop: { event: { type: 'simulator.stop' }, withinMs: 50 },
});
