import type { Hono } from 'hono';
import { keepSecret } from '#routes/kit/keep-secret.ts';
import { noStore } from '#routes/kit/no-store.ts';
import { pathMatcher } from './kit/path-pattern.ts';
import type { Env, RouteSpec } from './kit/route-spec.ts';

const versioned = '/api/v1';

/**
 * Flat paths of families that the contract names and that this build lacks, in whole or in part. They redirect too, so
 * that a client gets the usual answer for a missing route under its versioned path.
 */
const namedFamilies = {
  exact: [
    '/config/revisions',
    '/config/ha-area',
    '/config/export',
    '/config/import',
    '/config/probe-log-sink',
    '/backup',
    '/restore',
    '/uninstall',
    '/updates/ignore',
    '/companion/repair-url',
    '/webview/heal',
    '/auto-brightness',
    '/auto-sleep',
    '/perf',
    '/power-safety',
    '/apps',
    '/peers',
    '/ui/layout',
    '/display/density',
    '/tame',
    '/logship/status',
  ],
  /** Everything below these; the paths themselves are pages, or nothing, unless they are listed above. */
  below: [
    '/config/revisions',
    '/backup',
    '/restore',
    '/install',
    '/auto-brightness',
    '/auto-sleep',
    '/perf',
    '/inspect',
    '/power-safety',
    '/voice',
  ],
} as const;

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

/** Returns the versioned path of a flat path; any other path is itself. */
export function canonicalPaths(table: readonly RouteSpec[]): (path: string) => string {
  const matchers = flatPaths(table).map(pathMatcher);
  return (path) => (matchers.some((matches) => matches(path)) ? `${versioned}${path}` : path);
}

/**
 * Redirects the flat machine paths, and those of families without a route, to their versioned twins by 308, which keeps
 * method and body (contract, "Versioning" 2). A page keeps its GET.
 */
export function legacyRoutes(app: Hono<Env>, table: readonly RouteSpec[], pages: ReadonlySet<string>): void {
  for (const { path, secretive } of table) if (secretive === true) keepSecret(app, path.slice(versioned.length));
  const flat = flatPaths(table).map((path) => path.replaceAll(/\{(\w+)\}/g, ':$1'));
  const below = namedFamilies.below.map((path) => `${path}/:below{.+}`);
  for (const path of new Set([...flat, ...namedFamilies.exact, ...below])) {
    app.all(path, (c, next) => {
      if (pages.has(path) && (c.req.method === 'GET' || c.req.method === 'HEAD')) return next();
      const { pathname, search } = new URL(c.req.url);
      return Promise.resolve(c.body(null, 308, { Location: `${versioned}${pathname}${search}`, ...noStore }));
    });
  }
}
