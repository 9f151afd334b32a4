import type { z } from 'zod';
import type { Context } from 'hono';
import { refuse } from '#machines/kit/result.ts';
import { readObject } from './body.ts';
import { turnsFor } from './event-loop.ts';
import { decodeFields } from './form-values.ts';
import { explain, firstReasons, placeOf, sentenceOf, summaryOf } from './issues.ts';
import type { ProblemCode, Refusal } from './problem.ts';
import type { BodyRefusal, BodySpec, Env, FlatBody, ParsedBody, RouteSpec, Scalar } from './route-spec.ts';
import { ownField } from '#machines/kit/own-field.ts';

export interface Parsed {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

type Read = { readonly ok: true; readonly value: unknown } | Refusal;

const parse = (schema: z.ZodType, value: unknown): ReturnType<z.ZodType['safeParse']> =>
  // A schema's own message takes precedence over these sentences.
  schema.safeParse(value, { error: sentenceOf });

function codeOf({ code, fields, rules }: BodyRefusal, issues: readonly z.core.$ZodIssue[]): ProblemCode {
  for (const issue of issues) {
    const named = issue.code === 'custom' ? rules?.find((rule) => rule === issue.params?.['problem']) : undefined;
    if (named !== undefined) return named;
    const own = ownField(fields, String(issue.path[0] ?? ''));
    if (own !== undefined) return own;
  }
  return code;
}

async function parseBody(c: Context, spec: ParsedBody): Promise<Read> {
  const read = await readObject(c);
  if (!read.ok) return read;
  const { fields, form, length } = read.value;
  const parsed = parse(spec.schema, form ? decodeFields(spec.schema, fields) : fields);
  await turnsFor(length);
  return parsed.success
    ? { ok: true, value: parsed.data }
    : { ok: false, reason: codeOf(spec.refusal, parsed.error.issues), ...explain(parsed.error.issues) };
}

const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

async function parseFlat(c: Context, spec: FlatBody): Promise<Read> {
  const read = await readObject(c);
  if (!read.ok) return read;
  const { fields } = read.value;
  const reasons = firstReasons(
    Object.entries(fields)
      .filter(([, value]) => !isScalar(value))
      .map(([name]) => [
        placeOf([name]),
        `The field "${placeOf([name])}" must be a single value, not a list or an object.`,
      ]),
  );
  return Object.keys(reasons).length === 0
    ? { ok: true, value: fields }
    : { ok: false, reason: spec.refusal.code, message: summaryOf(reasons), reasons };
}

const noFile = refuse('invalid-body', 'The body is empty. Send the file itself as the body.');

/** The file that the listener has received. */
function fileOf({ env: { upload } }: Context<Env>): Read {
  return upload === undefined || upload === null || upload.bytes === 0 ? noFile : { ok: true, value: upload };
}

function bodyOf(c: Context<Env>, body: BodySpec | undefined): Promise<Read> | Read {
  if (body === undefined || body.reads === 'raw') return { ok: true, value: undefined };
  if (body.reads === 'file') return fileOf(c);
  return body.reads === 'flat' ? parseFlat(c, body) : parseBody(c, body);
}

/** Refuses a declared parameter that is sent twice, instead of choosing one. */
function queryOf(c: Context, schema: z.ZodObject | undefined): Read {
  if (schema === undefined) return { ok: true, value: {} };
  const given = c.req.queries();
  const twice = Object.keys(schema.shape).find((name) => (ownField(given, name)?.length ?? 0) > 1);
  if (twice !== undefined) {
    const message = `The parameter "${placeOf([twice])}" is sent twice. Send it once.`;
    return { ok: false, reason: 'invalid-query', message, reasons: { [placeOf([twice])]: message } };
  }
  const parsed = parse(schema, decodeFields(schema, c.req.query()));
  return parsed.success
    ? { ok: true, value: parsed.data }
    : { ok: false, reason: 'invalid-query', ...explain(parsed.error.issues) };
}

function paramsOf(c: Context, { params, unknown }: RouteSpec): Read {
  if (params === undefined) return { ok: true, value: {} };
  const parsed = parse(params, decodeFields(params, c.req.param()));
  if (parsed.success) return { ok: true, value: parsed.data };
  const refused = explain(parsed.error.issues);
  return unknown === undefined
    ? { ok: false, reason: 'not-found', ...refused }
    : { ok: false, reason: unknown.code, message: unknown.message, reasons: refused.reasons };
}

/** The parsed parts of a request to a route without input. */
export const nothingSent: Parsed = { params: {}, query: {}, body: undefined };

/** Parses a request as the route declares it, or says why it is refused. */
export async function parseRequest(
  c: Context<Env>,
  spec: RouteSpec,
): Promise<({ readonly ok: true } & Parsed) | Refusal> {
  const params = paramsOf(c, spec);
  if (!params.ok) return params;
  const query = queryOf(c, spec.query);
  if (!query.ok) return query;
  const body = await bodyOf(c, spec.body);
  if (!body.ok) return body;
  return { ok: true, params: params.value, query: query.value, body: body.value };
}
