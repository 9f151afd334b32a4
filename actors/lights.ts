import type { LightDriver, LightId } from '#machines/lights/events.ts';
import { lights } from '#machines/lights/index.ts';
import { type LightInput, lightMachine } from '#machines/lights/machine.ts';

import { part, type Part } from './kit/part.ts';

/** What a light's actor is wired to. */
export interface LightDeps {
  /** Which of the lights it is. */
  readonly id: LightId;
  /** The profile's driver of that light. */
  readonly driver: LightDriver;
}

// A plain "on" of the light behind the buttons means full, as with panel-assistant; every other light comes back as it
// was.
const plainOn = (id: LightId): LightInput['plainOn'] => (id === 'buttons' ? 'full' : 'last');

/** A light beside the screen: it stops immediately, and its driver leaves it as it was wanted. */
export const lightSpec = ({ id, driver }: LightDeps): Part =>
  part(lights, lightMachine.provide({ actors: { light: driver } }), {
    id,
    input: (): LightInput => ({ plainOn: plainOn(id) }),
  });
