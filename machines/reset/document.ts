import { z } from 'zod';

import { resetScopes } from './events.ts';
import { once } from '../kit/once.ts';

/** Counts of what one reset removes. */
export const ResetCounts = once(() =>
  z
    .object({
      settings: z.int().min(0).meta({ description: 'Settings that are not at their defaults, credentials included.' }),
      dashboards: z.int().min(0).meta({ description: 'Dashboards whose entities were learned.' }),
      profiles: z.int().min(0).meta({ description: 'Profiles that were saved here.' }),
      happenings: z.int().min(0).meta({ description: 'Entries of the history.' }),
    })
    .meta({ id: 'ResetCounts', description: 'What a reset takes away.' }),
);
export type ResetCounts = z.infer<ReturnType<typeof ResetCounts>>;

export const ResetScopeName = once(() =>
  z
    .enum(resetScopes)
    .meta({ id: 'ResetScope', description: '`connection`: to Home Assistant. `settings`: all. `everything`: as new.' }),
);

/** What can be reset, and the reset under way. */
export const ResetDocument = once(() =>
  z
    .object({
      phase: z.enum(['idle', 'withdrawing', 'clearing', 'restarting']).meta({ description: 'Where a reset stands.' }),
      scope: ResetScopeName().nullable().meta({ description: 'The reset under way.' }),
      trial: z.boolean().meta({ description: 'A profile is being tried: nothing is reset until that is over.' }),
      broker: z.enum(['connected', 'away']).meta({ description: 'Whether entities can be removed now.' }),
      entities: z.int().min(0).meta({ description: 'Entities that Home Assistant was told of on this connection.' }),
      comes_back: z
        .array(z.string())
        .meta({ description: 'Settings that the options of the start save again after each start.' }),
      choices: z
        .object({ connection: ResetCounts(), settings: ResetCounts(), everything: ResetCounts() })
        .meta({ description: 'What each would take away.' }),
      last: z
        .object({
          scope: ResetScopeName(),
          at: z.int().meta({ description: 'When it was asked for.' }),
          finished: z
            .boolean()
            .meta({ description: 'False while it waits for a start that the disk lets it finish in.' }),
          failure: z.string().nullable().meta({
            description:
              'Stable code of why the disk refused it at this start, such as `ENOSPC`; null where it did not.',
          }),
          left_behind: z.int().min(0).meta({ description: 'Discovery topics that could not be emptied.' }),
        })
        .nullable()
        .meta({ description: 'The last reset.' }),
    })
    .meta({ id: 'ResetDocument', description: 'What there is to reset.' }),
);
export type ResetDocument = z.infer<ReturnType<typeof ResetDocument>>;
