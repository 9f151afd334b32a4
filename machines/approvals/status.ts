import { z } from 'zod';
import { statusSection } from '../subsystem.ts';
import { noPlaceWords } from './place-words.ts';
import { exposureCodes, noPlaceReasons } from './events.ts';
import { nothingKnown } from './nothing-known.ts';

const count = (description: string) => z.int().min(0).meta({ description });

/** Mode and place in the status document; never who asks, or for what. */
export const status = statusSection({
  reads: ['approvals'],
  shape: () => ({
    security: z
      .object({
        mode: z
          .enum(['relaxed', 'hardened'])
          .nullable()
          .meta({ description: 'Hardened asks at the panel before it obeys; null while it is not known.' }),
        unreadable: z.boolean().meta({ description: 'True if the mode could not be read, which counts as Hardened.' }),
        place: z.enum(['screen', 'simulator', 'none']).meta({ description: 'Where this panel can ask a person.' }),
        place_reason: z
          .enum(noPlaceReasons)
          .nullable()
          .meta({ description: 'Why it cannot, a stable code; null if it can.' }),
        place_detail: z.string().nullable().meta({ description: 'The same in plain words; null if it can.' }),
        pending: count('Requests that wait for an answer at the panel.'),
        approved: count('Approvals that wait for their request to be sent again.'),
        asking: z.boolean().meta({ description: 'True while a question is on the screen.' }),
        silent: z.boolean().meta({
          description: 'True while new requests wait silently: three questions in a row were left untouched.',
        }),
        barred: z
          .array(
            z.object({
              code: z.enum(exposureCodes).meta({ description: 'Stable code.' }),
              message: z.string().meta({ description: 'One plain sentence.' }),
              command: z.string().nullable().meta({ description: 'What ends it, or names its program.' }),
            }),
          )
          .meta({ description: 'What bars approving, as of the last look; empty if nothing does.' }),
      })
      .meta({ description: 'Who may do what: Relaxed or Hardened mode.' }),
  }),
  view: ({ read }) => {
    const { mode, unreadable, place, standing, shown, silent, barred } = read('approvals') ?? nothingKnown;
    return {
      security: {
        mode,
        unreadable,
        place: place.kind,
        place_reason: place.kind === 'none' ? place.reason : null,
        place_detail: noPlaceWords(place),
        pending: standing.pending,
        approved: standing.approved,
        asking: shown !== null,
        // The facts notice the end of the silence only with the next question.
        silent: silent && standing.pending > 0,
        barred: [...barred],
      },
    };
  },
});
