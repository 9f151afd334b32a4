import type { Context } from 'hono';
import { plainAddress } from '#machines/kit/ip-address.ts';
import type { Env } from './route-spec.ts';

/** The request's `Host` as sent, null if there is none; the `Request` itself has a constant one. */
export function hostOf(c: Context<Env>): string | null {
  const head = c.env.incoming?.rawHeaders ?? [];
  for (let index = 0; index + 1 < head.length; index += 2) {
    if (head[index]?.toLowerCase() === 'host') return head[index + 1] ?? null;
  }
  return null;
}

/** The exact peer in canonical form, an IPv4-mapped address as IPv4; '' if it is unknown. */
export const peerOf = (c: Context<Env>): string => plainAddress(c.env.peer ?? '');

/** True if the request came from the panel itself. */
export function isFromPanel(c: Context<Env>): boolean {
  const peer = c.env.peer ?? '';
  return peer === '::1' || peer.startsWith('127.');
}
