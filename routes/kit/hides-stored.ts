import type { Context } from 'hono';
import type { RouteDeps } from './deps.ts';
import type { Env } from './route-spec.ts';
import { isTrustedLoopback } from './trusted-loopback.ts';

/**
 * True if a preview for this request must not tell which credentials are stored already: its sender may not read them,
 * and could guess one after another.
 */
export const hidesStored = (c: Context<Env>, { admission }: Pick<RouteDeps, 'admission'>): boolean =>
  admission.asks('CONFIG_SECRET_EXPORT', isTrustedLoopback(c));
