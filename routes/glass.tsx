import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { takesCommands } from '#machines/renderer/ask.ts';
import type { Env } from '#routes/kit/declare.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import type { Family } from '#routes/kit/family.ts';
import { androidPicture } from '#routes/kit/android.ts';
import { noStore, noStoreDoc } from '#routes/kit/no-store.ts';
import { isOnGlass, pageOf } from '#routes/kit/on-glass.tsx';
import { problem, restarting } from '#routes/kit/problem.ts';
import { reachableOrigin } from '#routes/sign-in.tsx';
import { readStatus } from '#routes/status/read-status.ts';
import { GlassPage } from '#ui/pages/glass-page.tsx';

/** Longest wait for a picture of the screen, in milliseconds; the browser takes 50. */
const shotMs = 10_000;

/** The calm page that stands on the panel while there is no dashboard to show. */
export const glassPage = (c: Context<Env>, deps: RouteDeps): Response | Promise<Response> => {
  const origin = reachableOrigin(c, deps);
  // The way back from the panel's own pages: the page itself asks for the dashboard.
  const leads = isOnGlass(c) && deps.registry.read('renderer')?.context.phase === 'settings';
  return pageOf(
    c,
    deps,
    <GlassPage status={readStatus(deps)} link={origin === null ? null : `${origin}/sign-in`} leads={leads} />,
    200,
    noStore,
  );
};

/** Pictures of what the panel shows. */
export const glassRoutes: Family = ({ declare, deps }) => {
  declare(
    {
      method: 'get',
      path: '/api/v1/screenshot.png',
      tag: 'panel',
      summary: 'A picture of what the panel shows',
      guard: 'active',
      protects: null,
      maxBodyBytes: 0,
      answers: {
        200: {
          description: 'The picture.',
          type: 'image/png',
          schema: z.string(),
          headers: noStoreDoc,
        },
      },
      problems: ['not-here', 'screenshot-unavailable', 'panel-unavailable', 'restarting', 'stopping'],
    },
    async (c) => {
      if (deps.stopping()) return problem(c, 'stopping', 'The agent is stopping.');
      if (deps.registry.ids().includes('adb')) return androidPicture(c, deps);
      const renderer = deps.registry.read('renderer')?.context;
      if (renderer === undefined) return restarting(c, 'renderer');
      if (!takesCommands(renderer)) return problem(c, 'not-here', renderer.verdict.detail);
      if (c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'image/png', ...noStore });
      const asked = await deps.registry.ask('renderer', { type: 'renderer.screenshot' }, shotMs);
      if (!asked.ok)
        return asked.reason === 'timeout'
          ? problem(c, 'screenshot-unavailable', 'The browser gave no picture in time. Try again in a few seconds.')
          : restarting(c, 'renderer');
      if (!asked.value.ok)
        return problem(
          c,
          'screenshot-unavailable',
          'The browser has no picture now: it is starting, busy, or shows nothing. Try again in a few seconds.',
        );
      return c.body(new Uint8Array(asked.value.png), 200, { 'Content-Type': 'image/png', ...noStore });
    },
  );
};
