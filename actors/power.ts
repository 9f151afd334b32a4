import type { PowerDriver } from '#machines/power/events.ts';
import { power } from '#machines/power/index.ts';
import { powerMachine } from '#machines/power/machine.ts';

import { part, type Part } from './kit/part.ts';

export interface PowerDeps {
  readonly driver: PowerDriver;
}

export const powerSpec = ({ driver }: PowerDeps): Part =>
  part(power, powerMachine.provide({ actors: { machine: driver } }));
