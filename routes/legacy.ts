import type { Hono } from 'hono';
import { noStore } from '#routes/kit/no-store.ts';
import { pathMatcher } from './kit/path-pattern.ts';
import type { Env, RouteSpec } from './kit/route-spec.ts';

const versioned = '/api/v1';

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

/**
 * Redirects the flat machine paths by 308, which keeps method and body, to their versioned twins (contract,
 * "Versioning" 2). A page keeps its GET.
 */
export const legacyRoutes = (app: Hono<Env>, table: readonly RouteSpec[], pages: ReadonlySet<string>): void => {
  for (const path of flatPaths(table)) {
    app.all(path.replaceAll(/\{(\w+)\}/g, ':$1'), (c, next) => {
      if (pages.has(path) && (c.req.method === 'GET' || c.req.method === 'HEAD')) return next();
      const { pathname, search } = new URL(c.req.url);
      return Promise.resolve(c.body(null, 308, { Location: `${versioned}${pathname}${search}`, ...noStore }));
    });
  }
};
