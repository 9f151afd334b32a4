import { z } from 'zod';
import { HistoryEntryStatus } from '#machines/history.ts';
import { mostEntries } from '#machines/history/events.ts';
import { json } from '#routes/kit/answer.ts';
import type { Family } from '#routes/kit/family.ts';
import { restarting } from '#routes/kit/problem.ts';
import { once } from '#machines/kit/once.ts';

/** Entries that are served unless the query says otherwise. */
const usualEntries = 100;

const Query = once(() =>
  z.strictObject({
    limit: z
      .int()
      .min(1)
      .max(mostEntries)
      .default(usualEntries)
      .meta({ description: 'How many of the newest entries.' }),
  }),
);

/** What happened. */
const History = once(() =>
  z
    .object({ entries: z.array(HistoryEntryStatus()).meta({ description: 'The newest first.' }) })
    .meta({ id: 'History', description: 'What happened, the newest first; no addresses, names or values.' }),
);

export const historyRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'getHistory',
      method: 'get',
      path: '/api/v1/history',
      tag: 'status',
      summary: 'What happened on this panel',
      description:
        'Who switched the screen and when, restarts, connections gained and lost, sign-ins, saved settings by key. The newest 500 are kept across restarts.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      query: Query,
      answers: () => ({
        200: json('The newest entries.', History()),
      }),
      problems: ['restarting'],
    },
    ({ query, answer }) => {
      const history = deps.registry.read('history')?.context;
      if (history === undefined) return restarting('history');
      const entries = history.entries.slice(-query.limit).toReversed();
      return answer(200, { entries: entries.map(({ at, kind, by, code, times }) => ({ at, kind, by, code, times })) });
    },
  );
};
