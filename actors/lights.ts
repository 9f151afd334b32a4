import type { AnyActorLogic } from 'xstate';

import type { LightId } from '#machines/lights/events.ts';
import { type LightInput, lightMachine } from '#machines/lights/machine.ts';

import type { ChildSpec } from './kit/spec.ts';

/** What a light's actor is wired to. */
export interface LightDeps {
  /** Which of the lights it is. */
  readonly id: LightId;
  /** The profile's driver of that light. */
  readonly driver: AnyActorLogic;
}

// A plain "on" of the light behind the buttons means full (behaviour-facts 25); every other light comes back as it was.
const plainOn = (id: LightId): LightInput['plainOn'] => (id === 'buttons' ? 'full' : 'last');

/** A light beside the screen: permanent; asked to stop, it ends at once and its driver leaves it as it was wanted. */
export const lightSpec = ({ id, driver }: LightDeps): ChildSpec => ({
  id,
  logic: lightMachine.provide({ actors: { lamp: driver } }),
  input: (): LightInput => ({ plainOn: plainOn(id) }),
  restart: 'permanent',
  stop: { event: { type: 'light.stop' }, withinMs: 5 },
});
