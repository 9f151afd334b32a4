import type { DayDriver, SimulatorDriver, SpeechDriver } from '#machines/simulator/events.ts';
import { simulator } from '#machines/simulator/index.ts';
import { simulatorMachine } from '#machines/simulator/machine.ts';

import { part, type Part } from './kit/part.ts';

export interface SimulatorDeps {
  readonly driver: SimulatorDriver;
  readonly day: DayDriver;
  readonly speech: SpeechDriver;
}

/** The controls of the simulated panel. */
export const simulatorSpec = ({ driver, day, speech }: SimulatorDeps): Part =>
  part(simulator, simulatorMachine.provide({ actors: { source: driver, day, speech } }));
