import type { Context, Hono } from 'hono';
import { accepts } from 'hono/accepts';
import { noStore } from '#routes/kit/no-store.ts';
import { pathMatcher } from './kit/path-pattern.ts';
import type { Env, RouteSpec } from './kit/route-spec.ts';

const versioned = '/api/v1';

/** Flat machine paths that a person takes for the address of a page, with the page that is meant. */
const meantPages: ReadonlyMap<string, string> = new Map([['/proximity', '/proximity-setup']]);

/** Routes that have a twin at the root (contract, "Versioning" 3), and those that no earlier build had. */
const isFlatToo = (path: string): boolean =>
  path.startsWith(`${versioned}/`) &&
  path !== `${versioned}/health` &&
  path !== `${versioned}/play` &&
  !path.startsWith(`${versioned}/dev/`);

/** The flat twins of the versioned machine paths, each once, with their `{parameters}`. */
export const flatPaths = (table: readonly RouteSpec[]): readonly string[] => [
  ...new Set(table.flatMap(({ path }) => (isFlatToo(path) ? [path.slice(versioned.length)] : []))),
];

/** Tells the versioned path that a flat path stands for; any other path is itself. */
export const canonicalPaths = (table: readonly RouteSpec[]): ((path: string) => string) => {
  const matchers = flatPaths(table).map(pathMatcher);
  return (path) => (matchers.some((matches) => matches(path)) ? `${versioned}${path}` : path);
};

/** Whether a page is asked for rather than data: a program that takes anything gets data. */
const prefersPage = (c: Context): boolean =>
  accepts(c, { header: 'Accept', supports: ['application/json', 'text/html'], default: 'application/json' }) ===
  'text/html';

/**
 * Redirects the flat machine paths by 308, which keeps method and body, to their versioned twins (contract,
 * "Versioning" 2). A page keeps its GET, and a browser that asks for a page by such a path is led to the page.
 */
export const legacyRoutes = (app: Hono<Env>, table: readonly RouteSpec[], pages: ReadonlySet<string>): void => {
  for (const path of flatPaths(table)) {
    app.all(path.replaceAll(/\{(\w+)\}/g, ':$1'), (c, next) => {
      const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
      if (pages.has(path) && isRead) return next();
      const page = meantPages.get(path);
      const isMeant = page !== undefined && isRead && prefersPage(c);
      const { pathname, search } = new URL(c.req.url);
      const location = isMeant ? page : `${versioned}${pathname}${search}`;
      return Promise.resolve(c.body(null, isMeant ? 307 : 308, { Location: location, ...noStore }));
    });
  }
};
