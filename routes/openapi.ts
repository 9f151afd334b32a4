import { z, type OpenAPIHono } from '@hono/zod-openapi';
import type { FamilyScope } from './kit/family.ts';
import { describeRoute, type Env, type RouteSpec } from './kit/declare.ts';

/** The OpenAPI document, generated once, when it is first asked for, from the routes that run. */
export const openapiRoutes = (
  app: OpenAPIHono<Env>,
  table: readonly RouteSpec[],
  { deps, declare }: FamilyScope,
): void => {
  let document: string | null = null;
  declare(
    {
      method: 'get',
      path: '/api/v1/openapi.json',
      tag: 'api',
      summary: 'This document',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: {
        200: { description: 'OpenAPI 3.1.', type: 'application/json', schema: z.looseObject({ openapi: z.string() }) },
      },
      problems: [],
    },
    (c) => {
      if (document === null) {
        for (const spec of table) describeRoute(app, spec);
        document = JSON.stringify(
          app.getOpenAPI31Document({
            openapi: '3.1.0',
            info: {
              title: 'Sconce',
              version: deps.version,
              description:
                'The machine API of this wall panel. Every request passes the checks of the contract first: the peer must be local (403 `peer-not-local`), a Host must be an address, `localhost`, a `.local` name or a name in `http_allowed_hosts` (403 `host-not-allowed`), and a write or an active GET from a page of another origin is refused (403 `cross-origin-refused`).',
            },
            servers: [{ url: '/' }],
          }),
        );
      }
      return c.body(document, 200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache' });
    },
  );
};
