import type { Context } from 'hono';
import { setupCookie } from '#ui/parts/setup-cookie.ts';
import type { Env } from './route-spec.ts';

/** True if this browser began its sign-in in the setup; another browser may come back from it. */
export const isFromSetup = (c: Context<Env>): boolean =>
  (c.req.header('cookie') ?? '').split(/; */).includes(setupCookie.value);

/** Removes that mark from the browser. */
export const forgetSetup = `${setupCookie.value}; Path=${setupCookie.path}; Max-Age=0; SameSite=Lax`;
