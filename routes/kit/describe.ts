import type { OpenAPIHono } from '@hono/zod-openapi';
import { z } from 'zod';
import { once } from '#machines/kit/once.ts';
import { descriptors } from '#machines/settings.ts';
import { SMALL_BODY_BYTES } from '#machines/kit/small-body.ts';
import { operationsOf } from './admission-of.ts';
import type { Answer } from './answer.ts';
import { ApprovalRequired, problemStatus, retryAfterOf, type ProblemCode } from './problem.ts';
import type { BodySpec, FileBody, Guard, RawBody, RouteSpec } from './route-spec.ts';
import { fieldsOf } from './form-values.ts';
import type { marks } from './tags.ts';
import { ownField } from '#machines/kit/own-field.ts';

type OpenAPIRegistry = OpenAPIHono['openAPIRegistry'];

/** Refusals of a request that never reaches its route: by the listener, during the start, or by an internal failure. */
const everywhere: readonly ProblemCode[] = [
  'bad-request',
  'expectation-failed',
  'head-too-large',
  'internal',
  'restarting',
  'too-many-waiting',
];

/** Refusals that precede every route of a guard. */
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

/** Refusals of a protected request (contract, "Security modes"). */
function protectionProblems(spec: RouteSpec): readonly ProblemCode[] {
  const { protects } = spec;
  if (typeof protects === 'object' && protects !== null && 'closed' in protects) return [protects.closed];
  const known = operationsOf(spec);
  if (known.length === 0) return [];
  const consents = descriptors.some(({ consent }) => known.some((operation) => operation === consent));
  return [
    'approval-required',
    'device-ignored',
    'no-place-to-ask',
    'too-many-approvals',
    ...(consents ? (['not-here'] as const) : []),
  ];
}

function bodyProblems(body: BodySpec | undefined): readonly ProblemCode[] {
  if (body === undefined || body.reads === 'raw') return [];
  if (body.reads === 'file') return ['invalid-body', 'no-space', 'upload-busy'];
  const { code, fields = {}, rules = [] } = body.reads === 'flat' ? { code: body.refusal.code } : body.refusal;
  return ['invalid-body', code, ...Object.values(fields), ...rules];
}

/** True if there may be no room for the body of a request in memory. */
const isHeld = ({ maxBodyBytes, body }: RouteSpec): boolean =>
  maxBodyBytes > SMALL_BODY_BYTES && body?.reads !== 'file';

/** Every code that refuses a request to a route: by its guard, its schemas and its handler. */
export const problemsOf = (spec: RouteSpec): readonly ProblemCode[] => [
  ...new Set([
    ...guardProblems[spec.guard],
    ...(isHeld(spec) ? (['too-many-uploads'] as const) : []),
    ...(spec.activeQuery === undefined ? [] : (['cross-origin-refused'] as const)),
    ...(spec.query === undefined ? [] : (['invalid-query'] as const)),
    ...(spec.unknown === undefined ? [] : [spec.unknown.code]),
    ...bodyProblems(spec.body),
    ...protectionProblems(spec),
    ...spec.problems,
  ]),
];

function byStatus(codes: readonly ProblemCode[]): ReadonlyMap<number, readonly ProblemCode[]> {
  const statuses = new Map<number, ProblemCode[]>();
  for (const code of codes) {
    const status = problemStatus(code);
    statuses.set(status, [...(statuses.get(status) ?? []), code]);
  }
  return statuses;
}

const retryAfter = {
  description: 'Seconds to wait before trying again.',
  schema: { type: 'integer' },
} as const;

/** Refusals of one status and set of codes, once in the document; routes refer to them. */
export interface SharedRefusals {
  readonly of: (status: number, codes: readonly ProblemCode[]) => { readonly $ref: string };
}

/** The one error shape with these codes only. */
const refusedWith = (codes: readonly ProblemCode[]) => ({
  allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { error: { enum: [...codes] } } }],
});

/** Names of the sets that many routes share: every operation refers to some, so they are short. */
const shortNames: Readonly<Record<string, string>> = {
  'host-not-allowed.peer-not-local': 'local',
  'cross-origin-refused.host-not-allowed.peer-not-local': 'origin',
  'request-timeout': '',
  'request-too-large': '',
  'save-unknown.too-many-uploads': 'upload',
  'invalid-body.too-many-entities.unknown-entity.unknown-issue': 'entities',
  'confirmation_required.filter-busy.not-ready': 'entities',
  'commit-failed.filter-not-saved': 'entities',
  'commit-failed': 'commit',
  'unknown-dashboard': 'dashboard',
};

function nameOf(status: number, sorted: readonly ProblemCode[]): string {
  const own = sorted.filter((code) => !everywhere.includes(code)).join('.');
  const short = ownField(shortNames, own) ?? own;
  return short === '' ? `r${status}` : `r${status}.${short}`;
}

const restartingWords =
  '`restarting`: for a few seconds at the start, around a change of profile and while a part of the agent restarts';

/** The description of a set of refusals; what every route can answer is explained once. */
function wordsFor(status: number, isShared: boolean): string {
  if (status !== 503) return 'Refused; `error` says why.';
  return isShared
    ? `The panel cannot answer now, but soon will: wait for \`Retry-After\` and send it again. ${restartingWords}.`
    : 'As `r503`, or refused; `error` says why.';
}

/** Makes the shared refusals of one document. */
export function sharedRefusals(registry: OpenAPIRegistry): SharedRefusals {
  const known = new Map<string, { readonly $ref: string }>();
  const { ref: waits } = registry.registerComponent('headers', 'RetryAfter', retryAfter);
  return {
    of: (status, codes) => {
      const sorted = codes.toSorted();
      const name = nameOf(status, sorted);
      const before = known.get(name);
      if (before !== undefined) return before;
      registry.registerComponent('responses', name, {
        description: wordsFor(status, name === `r${status}`),
        ...(sorted.some((code) => retryAfterOf(code) !== null) ? { headers: { 'Retry-After': waits } } : {}),
        content: {
          'application/json': {
            schema: refusedWith(sorted),
          },
        },
      });
      const ref = { $ref: `#/components/responses/${name}` };
      known.set(name, ref);
      return ref;
    },
  };
}

/** The recorded example of an operation: of a status or its `body`, in one media type. */
export type Recorded = (operationId: string, what: string, type: string) => unknown;

const example = (value: unknown): { example?: unknown } => (value === undefined ? {} : { example: value });

function headersOf({ headers = {} }: Answer, always = true): object {
  const entries = Object.entries(headers).map(([name, description]) => [
    name,
    { description, ...(always ? { required: true } : {}), schema: { type: 'string' } },
  ]);
  return entries.length === 0 ? {} : { headers: Object.fromEntries(entries) as object };
}

/** 202 of a protected route: it waits for a person, or what the route itself answers with that status, if anything. */
const waiting = (own: Answer | undefined): Pick<Answer, 'description' | 'schema'> =>
  own === undefined
    ? { description: 'In Hardened mode: it waits for a person at the panel.', schema: ApprovalRequired() }
    : {
        description: `${own.description} Or, in Hardened mode, it waits for a person at the panel (\`approval-required\`).`,
        schema: z.union([own.schema, ApprovalRequired()]),
      };

function responsesOf(spec: RouteSpec, refusals: SharedRefusals, recorded: Recorded): Record<string, object> {
  const responses = new Map<string, object>();
  const waits = operationsOf(spec).length > 0;
  for (const [status, answer] of Object.entries(spec.answers)) {
    const { type, also } = answer;
    const { description, schema } = waits && status === '202' ? waiting(answer) : answer;
    const shown = (one: Pick<Answer, 'type' | 'example'>): object =>
      example(one.example ?? recorded(spec.operationId, status, one.type));
    responses.set(status, {
      description,
      ...headersOf(answer),
      content: {
        [type]: { schema, ...shown(answer) },
        ...(also === undefined ? {} : { [also.type]: { schema: also.schema, ...shown(also) } }),
      },
    });
  }
  for (const [status, codes] of byStatus(problemsOf(spec))) {
    const own = spec.answers[status];
    if (status === 202) {
      if (own !== undefined) continue;
      const { description, schema } = waiting(own);
      responses.set('202', { description, content: { 'application/json': { schema } } });
    } else if (own === undefined) responses.set(String(status), refusals.of(status, codes));
    else if (own.type !== 'application/json') {
      // A page for people; requests refused before its handler get the usual shape.
      const content = { [own.type]: { schema: own.schema }, 'application/json': { schema: refusedWith(codes) } };
      responses.set(String(status), { description: own.description, ...headersOf(own, false), content });
    }
  }
  return Object.fromEntries(responses);
}

type Content = Record<string, { schema: z.ZodType; example?: unknown }>;

/** The schema of a JSON or form body in the document. */
export const schemaOf = (body: Exclude<BodySpec, RawBody | FileBody>): z.ZodType =>
  body.reads === 'flat' ? body.schema() : body.schema;

function contentOf(operationId: string, body: BodySpec, recorded: Recorded): Content {
  if (body.reads === 'raw' || body.reads === 'file')
    return Object.fromEntries(
      Object.entries(body.types).map(([type, one]) => [
        type,
        { schema: one.schema, ...example(one.example ?? recorded(operationId, 'body', type)) },
      ]),
    );
  const schema = schemaOf(body);
  const form = body.reads === 'flat' || body.form === undefined ? schema : body.form;
  return {
    'application/json': { schema, ...example(body.example) },
    ...(form === null ? {} : { 'application/x-www-form-urlencoded': { schema: form } }),
  };
}

const requestOf = ({ operationId, query, params, headers, body }: RouteSpec, recorded: Recorded): object => ({
  ...(query === undefined ? {} : { query }),
  ...(params === undefined ? {} : { params }),
  ...(headers === undefined ? {} : { headers }),
  ...(body === undefined
    ? {}
    : {
        body: {
          // An empty body is a body without fields.
          required: body.reads !== undefined || !body.schema.safeParse({}).success,
          description: body.description,
          content: contentOf(operationId, body, recorded),
        },
      }),
});

const nothing = once(() => z.object({}));

/** True if `ok` says if an answer is a success, and not its status alone. */
const tellsByOk = ({ answers }: RouteSpec): boolean =>
  fieldsOf(answers[200]?.schema ?? nothing()).some(
    ([name, field]) => name === 'ok' && z.safeParse(field, false).success,
  );

/** The description of a route, with what follows from the rest of its declaration. */
const wordsOf = (spec: RouteSpec): string =>
  [
    spec.description,
    ...(tellsByOk(spec) ? ['Read `ok`: 200 means that the answer is known; with `ok: false` it is no.'] : []),
    ...(spec.developer === true ? ['A developer tool.'] : []),
    ...(operationsOf(spec).length > 0 ? ['Needs approval at the panel in Hardened mode.'] : []),
  ].join(' ');

/** The groups of a route: its own first, then its marks. */
export const groupsOf = ({ tag, developer, deprecated }: RouteSpec): string[] => [
  tag,
  ...(developer === true ? ['developer' satisfies keyof typeof marks] : []),
  ...(deprecated === true ? ['deprecated' satisfies keyof typeof marks] : []),
];

/** Adds a route to the OpenAPI document. */
export const describeRoute = (
  registry: OpenAPIRegistry,
  spec: RouteSpec,
  refusals: SharedRefusals,
  recorded: Recorded,
): void =>
  registry.registerPath({
    method: spec.method,
    path: spec.path,
    operationId: spec.operationId,
    tags: groupsOf(spec),
    summary: spec.summary,
    description: wordsOf(spec),
    ...(spec.deprecated === true ? { deprecated: true } : {}),
    ...(operationsOf(spec).length > 0 ? { 'x-operation': operationsOf(spec) } : {}),
    request: requestOf(spec, recorded),
    responses: responsesOf(spec, refusals, recorded),
  });
