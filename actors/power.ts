import type { PowerDriver } from '#machines/power/events.ts';
import { power } from '#machines/power/index.ts';
import { powerMachine } from '#machines/power/machine.ts';

import { part, type Part } from './kit/part.ts';

/** What the power actor is wired to. */
export interface PowerDeps {
  /** The profile's power driver. */
  readonly driver: PowerDriver;
}

/** Rebooting. */
export const powerSpec = ({ driver }: PowerDeps): Part =>
  part(power, powerMachine.provide({ actors: { machine: driver } }));
