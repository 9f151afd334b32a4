import type { Context } from 'hono';
import type { RequestedFrom } from '#machines/kit/requested-from.ts';
import type { RouteDeps } from './deps.ts';
import { isFromPanel } from './raw-request.ts';
import type { Env } from './route-spec.ts';

/**
 * Where a request comes from. While the panel is tapped from the network, and for a minute after it, a request of its
 * own page counts as one from the network: whoever taps there presses its buttons.
 */
export const requestedFrom = (c: Context<Env>, deps: Pick<RouteDeps, 'networkTaps'>): RequestedFrom =>
  isFromPanel(c) && !deps.networkTaps.isRecent() ? 'panel' : 'network';
