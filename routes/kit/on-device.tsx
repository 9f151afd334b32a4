import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { Kiosk } from '#ui/parts/on-device.ts';
import { phaseOf } from '#machines/renderer/phase.ts';
import { Bundles } from '#ui/parts/page-bundles.ts';
import type { Env } from './route-spec.ts';
import type { RouteDeps } from './deps.ts';
import { isFromPanel } from './raw-request.ts';

/**
 * Kept by the panel's own browser while it runs; it distinguishes its pages from those that a person opens on the same
 * machine.
 */
const COOKIE = 'sconce_glass=1';

/**
 * True if a page is drawn for the panel's own screen: its browser says so when it opens one, and the cookie keeps it
 * for the pages that follow.
 */
export const isOnDevice = (c: Context<Env>): boolean =>
  isFromPanel(c) && (c.req.query('on') === 'glass' || (c.req.header('cookie') ?? '').split(/; */).includes(COOKIE));

/** A page of the panel, with a way back on the panel's own screen. */
export function pageOf(
  c: Context<Env>,
  deps: RouteDeps,
  page: Child,
  status: 200 | 400 | 404 = 200,
  headers: Record<string, string> = {},
): Response | Promise<Response> {
  const onDevice = isOnDevice(c);
  // Lax, because Home Assistant's login leads back here from another site; the cookie grants nothing.
  if (onDevice) c.header('Set-Cookie', `${COOKIE}; Path=/; HttpOnly; SameSite=Lax`);
  const renderer = deps.registry.read('renderer');
  const phase = renderer && phaseOf(renderer);
  return c.html(
    <Kiosk.Provider value={onDevice ? (phase === 'settings' ? 'over-dashboard' : 'over-offline') : 'elsewhere'}>
      <Bundles.Provider value={deps.bundles}>{page}</Bundles.Provider>
    </Kiosk.Provider>,
    status,
    headers,
  );
}
