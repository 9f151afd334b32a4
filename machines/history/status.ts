import { z } from 'zod';

/** One entry of the history, about one of `kinds`, as `/api/v1/history` serves it. */
export const historyEntryStatus = (kinds: readonly string[]) =>
  z
    .object({
      at: z.int().meta({ description: 'Milliseconds since the Unix epoch.' }),
      kind: z.string().meta({ description: `What it is about: ${kinds.map((kind) => `\`${kind}\``).join(', ')}.` }),
      by: z.string().nullable().meta({
        description: 'What caused it, for `part` which part, for `command` which entity; null without a cause.',
      }),
      code: z.string().meta({
        description: 'What it was; for `configuration` the saved keys, a removed secret with a minus before it.',
      }),
      times: z.int().min(1).meta({ description: 'How often, if repetitions are merged; `at` is the last time.' }),
    })
    .meta({ id: 'HistoryEntry', description: 'An event that an owner may want to look up.' });
