import type { SimulatorDriver } from '#machines/simulator/events.ts';
import { simulator } from '#machines/simulator/index.ts';
import { simulatorMachine } from '#machines/simulator/machine.ts';

import { part, type Part } from './kit/part.ts';

/** What the simulator's actor is wired to. */
export interface SimulatorDeps {
  /** The profile's simulator driver. */
  readonly driver: SimulatorDriver;
}

/** The hands on the simulated panel. */
export const simulatorSpec = ({ driver }: SimulatorDeps): Part =>
  part(simulator, simulatorMachine.provide({ actors: { source: driver } }));
