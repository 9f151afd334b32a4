import type { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { HttpBindings } from '#machines/http/events.ts';
import { noStoreDoc } from './no-store.ts';
import { isTransient, Problem, problemStatus, type ProblemCode } from './problem.ts';

/** How a route is guarded before it is routed (contract, "Pre-routing checks"). */
export type Guard = 'ordinary' | 'active' | 'write';

/** The environment of every handler: what the listener knows of the raw request. */
export interface Env {
  readonly Bindings: Partial<HttpBindings>;
}

/** One kind of answer of a route. */
export interface Answer {
  readonly description: string;
  readonly type: string;
  readonly schema: z.ZodType;
  /** A second form of the same answer, where the query asks for it. */
  readonly also?: { readonly type: string; readonly schema: z.ZodType };
  /** Headers beyond those every response has, with a sentence each. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Everything about a route that checks, walks, tests and the OpenAPI document read. */
export interface RouteSpec {
  readonly method: 'get' | 'post';
  /** Path with `{name}` parameters. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly guard: Guard;
  /** For an active GET that is active only with this query parameter. */
  readonly activeQuery?: string;
  /** Operation of Hardened mode that protects it; null when it is open. */
  readonly protects: string | null;
  /** Largest body accepted in bytes; 0 for none. */
  readonly maxBodyBytes: number;
  readonly query?: z.ZodObject;
  /** Parameters of the path. */
  readonly params?: z.ZodObject;
  /** Headers that the route reads. */
  readonly headers?: z.ZodObject;
  /** What is sent; a JSON object or a form where no media types are named. */
  readonly body?: { readonly description: string; readonly schema: z.ZodType; readonly types?: readonly string[] };
  readonly answers: Readonly<Record<number, Answer>>;
  /** Refusals it can make beyond those of the pre-routing checks. */
  readonly problems: readonly ProblemCode[];
}

/** Headers that the listener puts on every response. */
const commonHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'Always `nosniff`.',
  'X-Frame-Options': 'Always `DENY`.',
  'Referrer-Policy': 'Always `same-origin`.',
  'Content-Security-Policy': 'Scripts, styles and connections only from the panel itself.',
  'Cross-Origin-Opener-Policy': 'Always `same-origin`.',
  'Cross-Origin-Resource-Policy': 'Always `same-origin`.',
};

const header = (description: string): { description: string; schema: { type: 'string' } } => ({
  description,
  schema: { type: 'string' },
});

const headersOf = (own: Readonly<Record<string, string>> = {}): Record<string, ReturnType<typeof header>> =>
  Object.fromEntries(
    Object.entries({ ...commonHeaders, ...own }).map(([name, description]) => [name, header(description)]),
  );

/** Refusals of the listener itself, for a request that never reaches its route, and of a failure inside. */
const everywhere: readonly ProblemCode[] = ['bad-request', 'expectation-failed', 'head-too-large', 'internal'];

/** Refusals that stand before every route of a guard. */
const guardProblems: Readonly<Record<Guard, readonly ProblemCode[]>> = {
  ordinary: [...everywhere, 'peer-not-local', 'host-not-allowed'],
  active: [...everywhere, 'peer-not-local', 'host-not-allowed', 'cross-origin-refused'],
  write: [
    ...everywhere,
    'peer-not-local',
    'host-not-allowed',
    'cross-origin-refused',
    'request-timeout',
    'request-too-large',
  ],
};

const problemsOf = (spec: RouteSpec): Map<number, ProblemCode[]> => {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of [
    ...guardProblems[spec.guard],
    ...(spec.activeQuery === undefined ? [] : (['cross-origin-refused'] as const)),
    ...spec.problems,
  ]) {
    const status = problemStatus(code);
    byStatus.set(status, [...new Set([...(byStatus.get(status) ?? []), code])]);
  }
  return byStatus;
};

const responsesOf = (spec: RouteSpec): Record<string, object> => {
  const responses: Record<string, object> = {};
  for (const [status, answer] of Object.entries(spec.answers)) {
    responses[status] = {
      description: answer.description,
      headers: headersOf(answer.headers),
      content: {
        [answer.type]: { schema: answer.schema },
        ...(answer.also === undefined ? {} : { [answer.also.type]: { schema: answer.also.schema } }),
      },
    };
  }
  for (const [status, codes] of problemsOf(spec)) {
    const retry = codes.some(isTransient);
    responses[status] ??= {
      description: `Refused: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
      headers: headersOf({
        ...noStoreDoc,
        ...(retry ? { 'Retry-After': 'Seconds to wait before the next try.' } : {}),
      }),
      content: { 'application/json': { schema: Problem } },
    };
  }
  return responses;
};

const contentOf = ({
  schema,
  types = ['application/json', 'application/x-www-form-urlencoded'],
}: NonNullable<RouteSpec['body']>): Record<string, { schema: z.ZodType }> =>
  Object.fromEntries(types.map((type) => [type, { schema }]));

/** Puts a route into the OpenAPI document, from its description. */
export const describeRoute = (app: OpenAPIHono<Env>, spec: RouteSpec): void =>
  app.openAPIRegistry.registerPath({
    method: spec.method,
    path: spec.path,
    tags: [spec.tag],
    summary: spec.summary,
    ...(spec.description === undefined ? {} : { description: spec.description }),
    request: {
      ...(spec.query === undefined ? {} : { query: spec.query }),
      ...(spec.params === undefined ? {} : { params: spec.params }),
      ...(spec.headers === undefined ? {} : { headers: spec.headers }),
      ...(spec.body === undefined
        ? {}
        : {
            body: {
              required: true,
              description: spec.body.description,
              content: contentOf(spec.body),
            },
          }),
    },
    responses: responsesOf(spec),
  });

/** Puts a route into the application and the table; the document is made from the table when it is first asked for. */
export const declare = (
  app: OpenAPIHono<Env>,
  table: RouteSpec[],
  spec: RouteSpec,
  handler: (c: Context<Env>) => Response | Promise<Response>,
): void => {
  table.push(spec);
  app.on(spec.method.toUpperCase(), spec.path.replaceAll(/\{(\w+)\}/g, ':$1'), handler);
};
