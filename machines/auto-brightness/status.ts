import { z } from 'zod';
import { once } from '../kit/once.ts';
import { statusSection } from '../subsystem.ts';
import { unknownFacts } from './off.ts';
import { sentenceOf } from './sentence.ts';

const states = once(() => z.enum(['off', 'unavailable', 'dark', 'following', 'preferred']));

const AutoBrightnessStatus = once(() =>
  z
    .object({
      state: states().meta({
        description:
          'Whether the level follows the light, or for a while what a person chose; `dark`: the screen is off.',
      }),
      detail: z.string().meta({ description: 'The decision and its reasons, one sentence.' }),
    })
    .meta({ id: 'AutoBrightness', description: 'Whether the screen follows the light of the room, and why so.' }),
);

export const status = statusSection({
  reads: ['auto-brightness'],
  shape: () => ({ auto_brightness: AutoBrightnessStatus() }),
  view: ({ view }) => {
    const snapshot = view('auto-brightness');
    if (snapshot?.value === 'off')
      return { auto_brightness: { state: 'off' as const, detail: 'Automatic brightness is off.' } };
    const { room, decidedAt } = snapshot?.context ?? unknownFacts;
    return { auto_brightness: { state: room.state, detail: sentenceOf(room, decidedAt ?? 0) } };
  },
});
