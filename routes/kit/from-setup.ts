import type { Context } from 'hono';
import { setupCookie } from '#ui/parts/setup-cookie.ts';
import type { Env } from './route-spec.ts';

/** Whether this browser began its sign-in in the setup; the one that comes back may be another one. */
export const isFromSetup = (c: Context<Env>): boolean =>
  (c.req.header('cookie') ?? '').split(/; */).includes(setupCookie.value);

/** Takes the mark of a sign-in that was begun in the setup from the browser. */
export const forgetSetup = `${setupCookie.value}; Path=${setupCookie.path}; Max-Age=0; SameSite=Lax`;
