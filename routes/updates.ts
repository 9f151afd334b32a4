import { UpdatesDocument, viewOf } from '#machines/updates/status.ts';
import { json } from '#routes/kit/answer.ts';
import type { Family } from '#routes/kit/family.ts';
import { restarting } from '#routes/kit/problem.ts';
import { unlessStopping } from '#routes/kit/stopping.ts';

/** Looks for something newer; the answer is the section `updates` of the status document. */
export const updatesRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'checkForUpdates',
      method: 'post',
      path: '/api/v1/updates/check',
      tag: 'status',
      summary: 'Look for something newer',
      description:
        'Asks the origin of the clone that Sconce runs from, or was installed from, which takes at most 15 s; one question at a time. Nothing is installed and the clone stays as it is. The answer is `updates` in the status document. Nothing else makes the panel ask.',
      guard: 'write',
      protects: null,
      maxBodyBytes: 1024,
      admit: unlessStopping(deps),
      answers: () => ({
        202: json('It is asked now.', UpdatesDocument(), {
          example: {
            state: 'asking',
            reason: null,
            commits: null,
            version: null,
            subject: null,
            sentence: '',
            fix: null,
            asked_at: 1_700_000_000_000,
          },
        }),
      }),
      problems: ['restarting', 'stopping'],
    },
    ({ answer }) => {
      deps.registry.tell('updates', { type: 'updates.ask', at: deps.now() });
      const updates = deps.registry.read('updates');
      return updates === undefined ? restarting('updates') : answer(202, viewOf(updates, deps.version));
    },
  );
};
