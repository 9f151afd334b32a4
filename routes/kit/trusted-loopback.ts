import type { Context } from 'hono';

import type { Env } from './route-spec.ts';
import { isTrusted } from './trusted.ts';

/** True if a request comes from a program on this machine. */
export const isTrustedLoopback = (c: Context<Env>): boolean =>
  isTrusted(c.env.peer ?? '', c.env.incoming?.rawHeaders ?? []);
