import { type EntityRow, rowsOf, telling } from '../kit/entity.ts';
import { refuse } from '../kit/result.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import { endOfWrite } from '../kit/write-end.ts';
import { effectsOf, modesOf } from './decide.ts';
import {
  lightCapabilities,
  type LightContext,
  type LightEffect,
  lightEffects,
  type LightActor,
  type LightId,
} from './events.ts';
import { objectionOfLight } from './objection.ts';

const light = (snapshot: SnapshotView<LightContext>): LightContext => snapshot.context;

interface LightPlace {
  readonly id: LightId;
  readonly name: string;
  readonly icon: string;
  /** Offered until the hardware is known. */
  readonly colour: 'switch' | 'level' | 'rgb';
}

const isEffect = (name: string): name is LightEffect => lightEffects.some((effect) => effect === name);
const isLevel = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= 255;

const rowOf = ({ id, name, icon, colour }: LightPlace): EntityRow<LightActor> => ({
  entityKind: 'light',
  key: id,
  name,
  icon,
  actor: id,
  capability: lightCapabilities[id],
  modes: { colour, effects: effectsOf(id) },
  modesNow: (snapshot) => {
    const { ability } = light(snapshot);
    return ability === null ? null : modesOf(ability, effectsOf(id));
  },
  // A light that was found works; every other verdict says why there is none.
  available: (snapshot) => light(snapshot).verdict.state === 'working',
  read: (snapshot) => {
    const { on, level, ability, rgb, effect } = light(snapshot);
    if (on === null) return null;
    return {
      on,
      brightness: ability?.colour === 'switch' ? null : level,
      ...(ability?.colour === 'rgb' && { rgb }),
      ...(ability?.effects === true && effectsOf(id).length > 0 && { effect }),
    };
  },
  protects: null,
  objection: (snapshot, command) => objectionOfLight(id, light(snapshot), command),
  ends: (now) => endOfWrite('here', now),
  write: ({ on, brightness, rgb, effect }, origin) => {
    if ([on, brightness, rgb, effect].every((part) => part === undefined))
      return refuse('empty-command', 'The command requests nothing.');
    if (brightness !== undefined && !isLevel(brightness))
      return refuse('brightness-out-of-range', 'Brightness must be a whole number from 0 to 255.');
    if (rgb !== undefined && !Object.values(rgb).every(isLevel))
      return refuse('colour-out-of-range', 'Each part of a colour must be a whole number from 0 to 255.');
    if (rgb !== undefined && Object.values(rgb).every((part) => part === 0))
      return refuse('colour-black', 'At least one part of a colour must be above 0.');
    if (effect !== undefined && !isEffect(effect)) return refuse('unknown-effect', 'This is not one of the effects.');
    return telling<LightActor>({
      type: 'light.set',
      origin,
      ...(on !== undefined && { on }),
      ...(brightness !== undefined && { level: brightness }),
      ...(rgb !== undefined && { rgb }),
      ...(effect !== undefined && { effect }),
    });
  },
});

const buttonLeds = (['button_led1', 'button_led2', 'button_led3', 'button_led4'] as const).map(
  (id, index): LightPlace => ({
    id,
    name: `Button LED ${index + 1}`,
    icon: 'mdi:led-on',
    colour: 'switch',
  }),
);

/** The LED, the light behind the buttons and the button LEDs; those that the profile does not declare are left out. */
export const rows = rowsOf<LightActor>(
  [
    {
      id: 'led',
      name: 'LED',
      icon: 'mdi:led-strip-variant',
      colour: 'rgb',
    } satisfies LightPlace,
    {
      id: 'buttons',
      name: 'Button backlight',
      icon: 'mdi:gesture-tap-button',
      colour: 'level',
    } satisfies LightPlace,
    ...buttonLeds,
  ].map(rowOf),
);
