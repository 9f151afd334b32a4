import type { Context } from 'hono';
import type { Env } from './route-spec.ts';

/** The request's `Host` as sent, null if there is none; the `Request` itself has a constant one. */
export function hostOf(c: Context<Env>): string | null {
  const head = c.env.incoming?.rawHeaders ?? [];
  for (let index = 0; index + 1 < head.length; index += 2) {
    if (head[index]?.toLowerCase() === 'host') return head[index + 1] ?? null;
  }
  return null;
}

/** True if the request came from the panel itself. */
export function isFromPanel(c: Context<Env>): boolean {
  const peer = c.env.peer ?? '';
  return peer === '::1' || peer.startsWith('127.');
}
