import { z } from 'zod';

import { once } from '../kit/once.ts';
import { isSupervised, verdictWord } from '../kit/status.ts';
import { statusSection } from '../subsystem.ts';
import { effectsOf, modesOf } from './decide.ts';
import { type LightContext, lightEffects, type LightId, lightIds } from './events.ts';

const LightStatus = once(() =>
  z
    .object({
      state: verdictWord(),
      on: z.boolean().nullable().meta({ description: 'Read back; null while unknown.' }),
      brightness: z
        .int()
        .min(1)
        .max(255)
        .nullable()
        .meta({ description: 'Null while it is off or unknown, and for a light that can only be on or off.' }),
      rgb: z.array(z.int().min(0).max(255)).length(3).nullable().meta({
        description:
          'Red, green and blue, 0 to 255 each; while it is off, those it will return with. Null without colours.',
      }),
      effect: z
        .enum(lightEffects)
        .nullable()
        .meta({ description: 'The running effect; null without effects or while unknown.' }),
      effects: z.array(z.enum(lightEffects)).meta({ description: 'The effects it has.' }),
      fault: z
        .string()
        .nullable()
        .meta({ description: 'Why the last request failed: name of an error, `no-answer` or `gone`.' }),
    })
    .meta({ id: 'Light', description: 'A light beside the screen.' }),
);

const unread: z.infer<ReturnType<typeof LightStatus>> = {
  state: 'checking',
  on: null,
  brightness: null,
  rgb: null,
  effect: null,
  effects: [],
  fault: null,
};

function lightOf(id: LightId, { verdict, ability, on, level, rgb, effect, fault }: LightContext): typeof unread {
  if (ability === null) return { ...unread, state: verdict.state, fault };
  const { colour, effects } = modesOf(ability, effectsOf(id));
  const known = on !== null;
  return {
    state: verdict.state,
    on,
    brightness: colour === 'switch' ? null : level,
    rgb: known && colour === 'rgb' ? [rgb.red, rgb.green, rgb.blue] : null,
    effect: known && effects.length > 0 ? effect : null,
    effects: lightEffects.filter((name) => effects.includes(name)),
    fault,
  };
}

export const status = statusSection({
  reads: lightIds,
  uses: ['tree'],
  shape: () => ({
    lights: z.partialRecord(z.enum(lightIds), LightStatus()).meta({
      description:
        'The lights beside the screen that the profile names, by their ids. The reason for a state is in `capabilities`, for `buttons` under `button_backlight`.',
    }),
  }),
  view: ({ read, tree }) => ({
    lights: Object.fromEntries(
      lightIds.flatMap((id) => {
        const light = read(id);
        if (light !== undefined) return [[id, lightOf(id, light)]];
        return isSupervised(tree, id) ? [[id, unread]] : [];
      }),
    ),
  }),
});
