import type { Context } from 'hono';
import { isLoopback, panelOrigin } from '#machines/sign-in/panel-origin.ts';
import type { RouteDeps } from './deps.ts';
import { hostOf } from './raw-request.ts';
import type { Env } from './route-spec.ts';

/** The port that the agent listens on; 0 while unknown. */
export const portOf = (deps: RouteDeps): number => deps.registry.read('http')?.context.port ?? 0;

/** The panel's address as the browser of this request knows it; null if it cannot be led back there. */
export function originOf(c: Context<Env>, deps: RouteDeps): string | null {
  const origin = panelOrigin(hostOf(c), portOf(deps));
  return origin.ok ? origin.value : null;
}

/**
 * The panel's address as a phone can open it: the one of this request, otherwise that of the network; null if neither
 * is known.
 */
export function reachableOrigin(c: Context<Env>, deps: RouteDeps): string | null {
  const own = originOf(c, deps);
  if (own !== null && !isLoopback(own)) return own;
  const address = deps.registry.read('readings')?.context.reading?.address ?? null;
  if (address === null) return null;
  const network = panelOrigin(`${address.includes(':') ? `[${address}]` : address}:${portOf(deps)}`, portOf(deps));
  return network.ok ? network.value : null;
}

/** Where others reach the panel, for an address of another port; null if nothing is known of it. */
export function addressOf(
  c: Context<Env>,
  deps: RouteDeps,
): { readonly host: string; readonly isLoopback: boolean } | null {
  const origin = reachableOrigin(c, deps) ?? originOf(c, deps);
  return origin === null ? null : { host: new URL(origin).hostname, isLoopback: isLoopback(origin) };
}
