import type { Context } from 'hono';
import { z } from 'zod';
import { once } from '#machines/kit/once.ts';
import { refuse } from '#machines/kit/result.ts';
import { preparingOf } from '#machines/entity-filter/view.ts';
import { phaseOf, shownRenderer, takesCommands } from '#machines/renderer/phase.ts';
import { judgeRenderer } from '#machines/renderer/verdict.ts';
import { bytes } from '#routes/kit/answer.ts';
import type { Env } from '#routes/kit/route-spec.ts';
import type { RouteDeps } from '#routes/kit/deps.ts';
import type { Family } from '#routes/kit/family.ts';
import { androidPicture } from '#routes/kit/android.ts';
import { noStore } from '#routes/kit/no-store.ts';
import { isOnDevice, pageOf } from '#routes/kit/on-device.tsx';
import { restarting } from '#routes/kit/problem.ts';
import { reachableOrigin } from '#routes/kit/panel-address.ts';
import { readStatus } from '#routes/status/read-status.ts';
import { OfflinePage } from '#ui/pages/offline-page.tsx';
import { createSharedPicture, sharedForMs } from '#routes/kit/shared-picture.ts';
import { unlessStopping } from '#routes/kit/stopping.ts';

/** Longest wait for a picture of the screen, in milliseconds; the browser takes 50. */
const shotMs = 10_000;

/** The offline page, which the panel shows while there is no dashboard. */
export function offlinePage(c: Context<Env>, deps: RouteDeps): Response | Promise<Response> {
  // The way back from the panel's own pages: the page itself asks for the dashboard.
  const renderer = deps.registry.read('renderer');
  const leads = isOnDevice(c) && renderer !== undefined && phaseOf(renderer) === 'settings';
  const filter = deps.registry.read('entity-filter')?.context;
  return pageOf(
    c,
    deps,
    <OfflinePage
      status={readStatus(deps)}
      origin={reachableOrigin(c, deps)}
      leads={leads}
      preparing={filter === undefined ? null : preparingOf(filter)}
    />,
    200,
    noStore,
  );
}

const Query = once(() =>
  z.strictObject({
    shared: z
      .boolean()
      .optional()
      .meta({
        description: `True if a picture of the same page that another viewer requested serves as well; it is up to ${sharedForMs / 1000} s old.`,
      }),
  }),
);

/** Takes a picture of what the panel shows; what is refused says why. */
async function takePicture(deps: RouteDeps) {
  if (deps.registry.ids().includes('adb')) return androidPicture(deps);
  const snapshot = deps.registry.read('renderer');
  if (snapshot === undefined) return restarting('renderer');
  const renderer = shownRenderer(snapshot);
  if (!takesCommands(renderer)) return refuse('not-here', judgeRenderer(renderer).detail);
  const asked = await deps.registry.ask('renderer', { type: 'renderer.screenshot' }, shotMs);
  if (!asked.ok)
    return asked.reason === 'timeout'
      ? refuse('screenshot-unavailable', 'The browser returned no picture in time. Try again in a few seconds.')
      : restarting('renderer');
  return asked.value.ok
    ? { ok: true as const, png: new Uint8Array(asked.value.png) }
    : refuse(
        'screenshot-unavailable',
        'The browser has no picture now: it is starting, busy, or shows nothing. Try again in a few seconds.',
      );
}

/** Tells apart the pages that are shown, without saying which they are. */
function shownPage({ registry }: RouteDeps): string {
  const renderer = registry.read('renderer');
  return renderer === undefined ? '' : JSON.stringify([phaseOf(renderer), renderer.context.path]);
}

export const offlineRoutes: Family = ({ declare, deps }) => {
  const share = createSharedPicture(() => takePicture(deps), deps.elapsed);
  declare(
    {
      operationId: 'getScreenshot',
      method: 'get',
      path: '/api/v1/screenshot.png',
      tag: 'panel',
      summary: 'A picture of what the panel shows',
      description: 'Its pixels are the coordinates of `/api/v1/input`. It is not stored.',
      guard: 'active',
      protects: null,
      maxBodyBytes: 0,
      query: Query,
      admit: unlessStopping(deps),
      answers: () => ({
        200: bytes('The picture.', 'image/png'),
      }),
      problems: ['not-here', 'screenshot-unavailable', 'panel-unavailable', 'restarting', 'stopping'],
    },
    async ({ query, answer }) => {
      const picture = await (query.shared === true ? share(shownPage(deps)) : takePicture(deps));
      return picture.ok ? answer(200, picture.png) : picture;
    },
  );
};
