import { z } from 'zod';

/** One entry of the history, which can be about one of `kinds`, as `/api/v1/history` serves it. */
export const historyEntryStatus = (kinds: readonly string[]) =>
  z
    .object({
      at: z.int().meta({ description: 'Milliseconds since the Unix epoch.' }),
      kind: z.string().meta({ description: `What it is about: ${kinds.map((kind) => `\`${kind}\``).join(', ')}.` }),
      by: z.string().nullable().meta({ description: 'Who did it, or of `part` which one; null where nobody did.' }),
      code: z.string().meta({
        description: 'What it was; of `configuration` the saved keys, a removed secret with a minus before it.',
      }),
      times: z.int().min(1).meta({ description: 'How often, where repetitions are gathered; `at` is the last time.' }),
    })
    .meta({ id: 'HistoryEntry', description: 'Something that happened which an owner asks about.' });
