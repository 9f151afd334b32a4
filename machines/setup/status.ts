import { z } from 'zod';

import { once } from '../kit/once.ts';
import { statusSection } from '../subsystem.ts';
import { stages, stepStates } from './events.ts';
import { progressOf } from './progress.ts';

/** One step of the setup in the status document and `GET /api/v1/setup`. */
export const SetupStep = once(() =>
  z
    .object({
      stage: z.enum(stages).meta({ description: 'What it is about.' }),
      status: z.enum(stepStates).meta({
        description: '`needs_you`: a person is to do something. `blocked`: another step comes first. `put_off`: later.',
      }),
      blocking: z.boolean().meta({ description: 'Whether the panel is not set up without it.' }),
      detail: z.string().meta({ description: 'One sentence; never an address or a name.' }),
    })
    .meta({ id: 'SetupStep', description: 'A step of the setup.' }),
);

/** The setup in the status document. */
export const status = statusSection({
  reads: ['setup'],
  shape: () => ({
    setup: z
      .object({
        complete: z.boolean().meta({ description: 'Everything that the panel needs is there, or was once.' }),
        put_off: z.boolean().meta({ description: 'A person said that the rest can wait.' }),
        due: z.boolean().meta({ description: 'Whether the page `/` begins with it.' }),
        next: z.enum(stages).nullable().meta({ description: 'The first step that waits for a person; null for none.' }),
        seen: z.boolean().meta({
          description: 'Whether Home Assistant shows an entity of this panel now; false while that is not known.',
        }),
        steps: z.array(SetupStep()).meta({ description: 'In order; empty while the agent starts.' }),
      })
      .nullable()
      .meta({ description: 'How far the panel is set up; null while its part restarts.' }),
  }),
  view: ({ read }) => {
    const facts = read('setup');
    if (facts === undefined) return { setup: null };
    const { complete, putOff, next, due } = progressOf(facts);
    return {
      setup: {
        complete,
        put_off: putOff,
        due,
        next,
        seen: facts.foundEntity !== null,
        steps: facts.steps.map((step) => ({ ...step })),
      },
    };
  },
});
