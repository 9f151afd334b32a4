import { z } from 'zod';

import { once } from '#machines/kit/once.ts';

/** Option of a driver for parts that a profile for many machines cannot know. */
export const optionalPart = once(() =>
  z.boolean().default(false).meta({
    description:
      'True withholds it from Home Assistant until a look at the machine has found it; for profiles that fit many machines.',
  }),
);
