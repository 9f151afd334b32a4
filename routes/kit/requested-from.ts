import type { Context } from 'hono';
import type { RequestedFrom } from '#machines/kit/requested-from.ts';
import type { RouteDeps } from './deps.ts';
import type { Env } from './route-spec.ts';
import { isTrustedLoopback } from './trusted-loopback.ts';

/**
 * Where a request comes from; a page of another site in the panel's browser, and a proxy on the panel, are of the
 * network. For a minute after a tap from the network, a request of the panel's own page counts as
 * one from the network: the tap may have pressed its buttons.
 */
export const requestedFrom = (c: Context<Env>, deps: Pick<RouteDeps, 'networkTaps'>): RequestedFrom =>
  isTrustedLoopback(c) && !deps.networkTaps.isRecent() ? 'panel' : 'network';
