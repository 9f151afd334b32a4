import { z } from '@hono/zod-openapi';
import { HistoryEntryStatus } from '#machines/history.ts';
import { mostEntries } from '#machines/history/events.ts';
import type { Family } from '#routes/kit/family.ts';
import { noStore, noStoreDoc } from '#routes/kit/no-store.ts';
import { problem, restarting } from '#routes/kit/problem.ts';

/** Entries that are served where nobody says how many. */
const usualEntries = 100;

const Query = z.object({
  limit: z
    .string()
    .regex(/^\d{1,3}$/)
    .optional()
    .meta({ description: `How many of the newest entries, 1 to ${mostEntries}; ${usualEntries} by default.` }),
});

const History = z
  .object({ entries: z.array(HistoryEntryStatus) })
  .meta({ id: 'History', description: 'What happened, the newest first; no addresses, names or values.' });

/** What an owner asks about later. */
export const historyRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      method: 'get',
      path: '/api/v1/history',
      tag: 'status',
      summary: 'What happened on this panel',
      description:
        'Who switched the screen and when, restarts, links that came and went, sign-ins, saved settings by key. Kept across restarts, the newest 500.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      query: Query,
      answers: {
        200: {
          description: 'The newest entries.',
          type: 'application/json',
          schema: History,
          headers: noStoreDoc,
        },
      },
      problems: ['invalid-query', 'restarting'],
    },
    (c) => {
      const limit = Number(
        Query.safeParse(c.req.query()).data?.limit ?? (c.req.query('limit') === undefined ? usualEntries : Number.NaN),
      );
      if (!(limit >= 1 && limit <= mostEntries))
        return problem(
          c,
          'invalid-query',
          `limit is a whole number from 1 to ${mostEntries}. Send it so, or leave it out.`,
        );
      const history = deps.registry.read('history')?.context;
      if (history === undefined) return restarting(c, 'history');
      const body: z.infer<typeof History> = { entries: history.entries.slice(-limit).toReversed() };
      return c.json(body, 200, noStore);
    },
  );
};
