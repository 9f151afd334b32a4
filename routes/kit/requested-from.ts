import type { Context } from 'hono';
import type { RequestedFrom } from '#machines/kit/requested-from.ts';
import type { RouteDeps } from './deps.ts';
import { isFromPanel } from './raw-request.ts';
import type { Env } from './route-spec.ts';

/**
 * Where a request comes from. For a minute after a tap from the network, a request of the panel's own page counts as
 * one from the network: the tap may have pressed its buttons.
 */
export const requestedFrom = (c: Context<Env>, deps: Pick<RouteDeps, 'networkTaps'>): RequestedFrom =>
  isFromPanel(c) && !deps.networkTaps.isRecent() ? 'panel' : 'network';
