import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Env, RouteSpec } from './kit/declare.ts';
import { noStore } from '#routes/kit/no-store.ts';

/**
 * Flat machine paths of earlier builds that answer 308 (contract, "Versioning" 2): closed, and only for routes that
 * exist.
 */
export const legacyPaths = [
  '/status',
  '/diag',
  '/info',
  '/sensors',
  '/config',
  '/config/schema',
  '/camera/status',
  '/action',
  '/openapi.json',
  '/logs/stream',
  '/proximity',
  '/proximity/calibration',
] as const;

const isLegacy = (path: string): boolean => legacyPaths.some((legacy) => legacy === path);

/** The versioned path that a flat legacy path stands for; any other path is itself. */
export const canonicalPath = (path: string): string => (isLegacy(path) ? `/api/v1${path}` : path);

/** Redirects the flat legacy paths; query, method and body are kept by 308 itself. */
export const legacyRoutes = (app: OpenAPIHono<Env>, table: readonly RouteSpec[]): void => {
  for (const path of legacyPaths) {
    if (!table.some((spec) => spec.path === canonicalPath(path))) continue;
    app.all(path, (c) => {
      const url = new URL(c.req.url);
      return c.body(null, 308, { Location: `${canonicalPath(path)}${url.search}`, ...noStore });
    });
  }
};
