import type { UpdatesDriver } from '#machines/updates/events.ts';
import { updates } from '#machines/updates/index.ts';
import { updatesMachine } from '#machines/updates/machine.ts';

import { part, type Part } from './kit/part.ts';

export interface UpdatesDeps {
  /** Asks the origin once (`originDriver` of its driver). */
  readonly origin: UpdatesDriver;
}

export const updatesSpec = ({ origin }: UpdatesDeps): Part =>
  part(updates, updatesMachine.provide({ actors: { origin } }));
