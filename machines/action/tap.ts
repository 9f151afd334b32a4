import { z } from 'zod';
import { once } from '../kit/once.ts';

/** Largest coordinate that is accepted; larger than any panel. */
const mostPixels = 16_383;

const pixel = (from: string) =>
  z
    .number()
    .min(0)
    .max(mostPixels)
    .meta({ description: `Pixels from the ${from}.` });

/** A tap in pixels of the panel's picture of its screen, and whether to answer with a new picture. */
export const TapBody = once(() =>
  z
    .strictObject({
      x: pixel('left'),
      y: pixel('top'),
      capture: z.boolean().default(false).meta({ description: 'Whether the answer is a picture taken after the tap.' }),
    })
    .meta({ id: 'Tap', description: 'Where to tap, in pixels of the picture.' }),
);
export type Tap = z.infer<ReturnType<typeof TapBody>>;
