import type { LightDriver, LightId } from '#machines/lights/events.ts';
import { lights } from '#machines/lights/index.ts';
import { type LightInput, lightMachine } from '#machines/lights/machine.ts';

import { part, type Part } from './kit/part.ts';
import type { Registry } from './kit/registry.ts';
import { lightStore } from './light-store.ts';

export interface LightDeps {
  readonly registry: Registry;
  readonly id: LightId;
  readonly driver: LightDriver;
}

// A plain "on" of the light behind the buttons means full, as with panel-assistant; every other light returns to its
// last level.
const plainOn = (id: LightId): LightInput['plainOn'] => (id === 'buttons' ? 'full' : 'last');

/** A light other than the screen. It stops at once, and its driver leaves it in the wanted state. */
export const lightSpec = ({ registry, id, driver }: LightDeps): Part =>
  part(lights, lightMachine.provide({ actors: { light: driver, store: lightStore(registry, id) } }), {
    id,
    input: (): LightInput => ({ plainOn: plainOn(id) }),
  });
