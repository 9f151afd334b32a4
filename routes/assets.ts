import type { Hono } from 'hono';
import { codingFor, type ContentCoding } from '#machines/kit/content-coding.ts';
import { refuse } from '#machines/kit/result.ts';
import type { RouteDeps } from './kit/deps.ts';
import { problem } from './kit/problem.ts';
import type { Env } from './kit/route-spec.ts';

/** The encodings in which the build keeps an asset, the smallest first. */
const codings: readonly ContentCoding[] = ['br', 'gzip'];

/** True if If-None-Match names this tag; tags are compared weakly (RFC 9110, section 13.1.2). */
const isNamed = (tag: string, ifNoneMatch: string | undefined): boolean =>
  (ifNoneMatch ?? '').split(',').some((one) => ['*', tag].includes(one.trim().replace(/^W\//, '')));

/** The assets of the pages, each in the smallest encoding that the caller accepts, with an entity tag per encoding. */
export function assetRoutes(app: Hono<Env>, deps: RouteDeps): void {
  app.get('/assets/:name', (c) => {
    const asset = deps.assets.get(c.req.param('name'));
    if (asset === undefined) return problem(c, refuse('not-found', 'There is no such file.'));
    const kept = codings.filter((coding) => asset.coded[coding] !== undefined);
    const coding = codingFor(c.req.header('accept-encoding'), kept);
    const tag = coding === null ? `"${deps.build}"` : `"${deps.build}-${coding}"`;
    const headers = {
      ETag: tag,
      'Cache-Control': 'no-cache',
      ...(kept.length === 0 ? {} : { Vary: 'Accept-Encoding' }),
    };
    if (isNamed(tag, c.req.header('if-none-match'))) return c.body(null, 304, headers);
    const read = (coding === null ? undefined : asset.coded[coding]) ?? asset.body;
    return c.body(read(), 200, {
      ...headers,
      'Content-Type': asset.type,
      ...(coding === null ? {} : { 'Content-Encoding': coding }),
    });
  });
}
