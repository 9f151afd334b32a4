import { z } from 'zod';
import { once } from '#machines/kit/once.ts';
import { refuse } from '#machines/kit/result.ts';
import { whyUnclearable } from '#machines/renderer/clear-storage.ts';
import { shownRenderer } from '#machines/renderer/phase.ts';
import { json } from '#routes/kit/answer.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import type { Family } from '#routes/kit/family.ts';
import { type Refusal, restarting } from '#routes/kit/problem.ts';
import { unlessStopping } from '#routes/kit/stopping.ts';

const Started = once(() =>
  z
    .object({
      ok: z.literal(true).meta({ description: 'It was passed on.' }),
      status: z.literal('started').meta({ description: 'It is being removed; the dashboard is loaded afterwards.' }),
    })
    .meta({ id: 'StorageClearing', description: 'The stored data of Home Assistant is being removed.' }),
);

/** Why nothing can be removed now; null if it can. */
function whyNot({ registry }: Pick<RouteDeps, 'registry'>): Refusal<'not-here' | 'restarting'> | null {
  const renderer = registry.read('renderer');
  if (renderer === undefined) return restarting('renderer');
  const why = whyUnclearable(shownRenderer(renderer));
  return why === null ? null : refuse('not-here', why);
}

/** The data of Home Assistant that the panel's browser stores. */
export const dashboardStorageRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      operationId: 'clearDashboardStorage',
      method: 'post',
      path: '/api/v1/dashboard/clear-storage',
      tag: 'panel',
      summary: 'Remove what the dashboard remembers in this browser',
      description:
        'Removes everything that the built-in browser stores for the address of Home Assistant: local storage, databases, cookies, service workers, and its cache. Then it loads the dashboard again. The panel itself keeps its sign-in and settings, so they stay. The status document lists when it was done under `renderer.restarts`, as `storage-cleared`.',
      guard: 'write',
      protects: 'DASHBOARD_STORAGE_CLEAR',
      check: () => whyNot(deps),
      maxBodyBytes: 1024,
      admit: unlessStopping(deps),
      answers: () => ({ 202: json('Started.', Started(), { example: { ok: true, status: 'started' } }) }),
      problems: ['not-here', 'restarting', 'stopping'],
    },
    ({ answer }) => {
      const refused = whyNot(deps);
      if (refused !== null) return refused;
      return deps.registry.tell('renderer', { type: 'renderer.clear-storage' }) === 'absent'
        ? restarting('renderer')
        : answer(202, { ok: true, status: 'started' });
    },
  );
};
