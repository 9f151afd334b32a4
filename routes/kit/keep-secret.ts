import type { Hono } from 'hono';
import type { Env } from './route-spec.ts';

/** Keeps the address of a path, and of all paths below it, out of the `Referer` of links in its answers. */
export function keepSecret(app: Hono<Env>, path: string): void {
  app.use(`${path}/*`, async (c, next) => {
    await next();
    c.header('Referrer-Policy', 'no-referrer');
  });
}
