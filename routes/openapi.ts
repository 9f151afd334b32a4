import { z } from 'zod';
import { chunk } from '#machines/kit/chunk.ts';
import { jsonText } from './kit/answer.ts';
import type { FamilyScope } from './kit/family.ts';
import type { RouteSpec } from './kit/route-spec.ts';

const documents = chunk(() => import('./openapi-document.ts'));

/** The OpenAPI document, generated once, on the first request, from the routes that run. */
export function openapiRoutes(
  table: readonly RouteSpec[],
  { deps, declare }: FamilyScope,
  pages: ReadonlySet<string>,
): void {
  let document: string | null = null;
  declare(
    {
      operationId: 'getOpenApi',
      method: 'get',
      path: '/api/v1/openapi.json',
      tag: 'api',
      summary: 'This document',
      description: 'Made from the routes that run in this build.',
      guard: 'ordinary',
      protects: null,
      maxBodyBytes: 0,
      answers: () => ({
        200: jsonText('OpenAPI 3.1.', z.looseObject({ openapi: z.string() }), {
          kept: true,
          example: { openapi: '3.1.0' },
        }),
      }),
      problems: [],
    },
    async ({ answer }) => {
      const { openapiDocument } = await documents();
      return answer(200, (document ??= openapiDocument(table, deps.version, pages)));
    },
  );
}
