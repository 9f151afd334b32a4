import type { Hono } from 'hono';
import type { Context } from 'hono';
import { admissionOf } from './admission-of.ts';
import type { Answer } from './answer.ts';
import type { RouteDeps } from './deps.ts';
import { keepSecret } from './keep-secret.ts';
import { noStore } from './no-store.ts';
import { nothingSent, type Parsed, parseRequest } from './parse.ts';
import { problem } from './problem.ts';
import { starting, startMs, whenPartsStarted } from './starting.ts';
import {
  type Answered,
  type Asked,
  type Env,
  type Fitting,
  type Handler,
  type RouteDeclaration,
  routeOf,
  type RouteSpec,
} from './route-spec.ts';

/** An answer that does not match the schema of its route: a bug in the agent. */
export class AnswerMismatch extends Error {
  readonly code = 'answer-mismatch';
  constructor(spec: RouteSpec, status: number, cause: unknown) {
    super(`${spec.operationId} answered ${status} with what its schema does not take`, { cause });
  }
}

const isBytes = (value: unknown): value is Uint8Array<ArrayBuffer> => value instanceof Uint8Array;

/** Writes text or bytes with the headers of the declared answer. */
function write(
  status: number,
  body: string | Uint8Array<ArrayBuffer>,
  { kept }: Answer,
  type: string,
  headers?: Readonly<Record<string, string>>,
): Response {
  const cache = kept === true ? 'no-cache' : noStore['Cache-Control'];
  // A literal instead of spreading: every request of a health check passes here.
  const own = { 'Cache-Control': cache, 'Content-Type': type };
  return new Response(body, { status, headers: headers === undefined ? own : { ...own, ...headers } });
}

/** Writes what a handler returned as the declared answer. */
function respond(status: number, answer: Answer, value: unknown, headers?: Readonly<Record<string, string>>): Response {
  if (typeof value === 'string') return write(status, value, answer, answer.type, headers);
  if (value instanceof Response) return value;
  if (isBytes(value)) return write(status, value, answer, answer.type, headers);
  return write(status, JSON.stringify(value), answer, answer.also?.type ?? answer.type, headers);
}

/** The value as a caller gets it: without what JSON leaves out, and parsed if the document is cached as text. */
function received(value: unknown, type: string): unknown {
  if (typeof value !== 'string') return JSON.parse(JSON.stringify(value));
  return type === 'application/json' ? JSON.parse(value) : value;
}

function verify(spec: RouteSpec, status: number, answer: Answer, value: unknown): void {
  if (value instanceof Response || isBytes(value)) return;
  const { type, schema } = typeof value === 'string' || answer.also === undefined ? answer : answer.also;
  const parsed = schema.safeParse(received(value, type));
  if (!parsed.success) throw new AnswerMismatch(spec, status, parsed.error);
}

/**
 * True if a request must not reach the handler: a HEAD of a GET that starts work or uses something up, which HEAD must
 * not do (RFC 9110, section 9.2.1). hono serves HEAD with the handler of GET.
 */
const isOnlyAsked = ({ req }: Context<Env>, { method, guard, activeQuery, secretive, protects }: RouteSpec): boolean =>
  method === 'get' &&
  req.method === 'HEAD' &&
  (guard === 'active' ||
    secretive === true ||
    protects !== null ||
    (activeQuery !== undefined && req.query(activeQuery) !== undefined));

/** True if a route needs a part, and would refuse or answer wrongly before that was started. */
const needsParts = ({ method, guard, problems, awaitsParts }: RouteSpec): boolean =>
  method !== 'get' || guard === 'active' || problems.includes('restarting') || awaitsParts === true;

/** The answer to such a HEAD: status and type, and nothing that its GET would reveal. */
function unasked({ answers }: RouteSpec): Response {
  const declared = answers[200];
  if (declared === undefined) return new Response(null, { status: 204, headers: noStore });
  return write(200, '', declared, declared.type);
}

/** Adds a route to the application and the table; the document is made from the table when it is first requested. */
export type Declare = <const S extends RouteDeclaration>(declared: S & Fitting<S>, handler: Handler<S>) => void;

/**
 * Declares routes of an application: a request waits for the start of the agent, is parsed by the declared schemas, and
 * if it is protected is admitted, before its handler runs. With `verifyAnswers` each answer is parsed by its schema
 * too, and one that does not match is a failure; for tests.
 */
export const declareIn =
  (
    app: Hono<Env>,
    table: RouteSpec[],
    {
      base,
      parts,
      admission,
      verifyAnswers: verifying,
    }: Pick<RouteDeps, 'base' | 'parts' | 'admission' | 'verifyAnswers'>,
  ): Declare =>
  (declared, handler) => {
    const spec = routeOf(declared);
    table.push(spec);
    const isForParts = needsParts(spec);
    const admitted = spec.protects === null ? null : admissionOf(spec, admission);
    const respondIn = (c: Context<Env>, parsed: Parsed): Response | Promise<Response> => {
      if (isOnlyAsked(c, spec)) return unasked(spec);
      return admitted === null
        ? handle(c, parsed)
        : admitted(c, parsed).then((refused) => (refused === null ? handle(c, parsed) : problem(c, refused)));
    };
    const handle = (c: Context<Env>, parsed: Parsed): Response | Promise<Response> => {
      const answer = (status: number, value: unknown, headers?: Readonly<Record<string, string>>): Answered => {
        const kind = spec.answers[status];
        if (kind === undefined) throw new AnswerMismatch(spec, status, undefined);
        if (verifying) verify(spec, status, kind, value);
        // The one place where a response becomes an `Answered`.
        return respond(status, kind, value, headers) as Answered;
      };
      // Parsed by the very schemas that the handler's types come from.
      const outcome = handler({ c, ...parsed, answer } as unknown as Asked<typeof declared>);
      const written = (of: Awaited<typeof outcome>): Response => (of instanceof Response ? of : problem(c, of));
      return outcome instanceof Promise ? outcome.then(written) : written(outcome);
    };
    const parses = declared.params !== undefined || declared.query !== undefined || declared.body !== undefined;
    if (spec.secretive === true) keepSecret(app, spec.path);
    app.on(
      spec.method.toUpperCase(),
      spec.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      (c: Context<Env>): Response | Promise<Response> => {
        const refused = spec.admit?.(c) ?? null;
        if (refused !== null) return problem(c, refused);
        const serve = (): Response | Promise<Response> =>
          // Most reads take no input: they are answered at once, which a listener serves faster than a promise.
          parses
            ? parseRequest(c, spec).then((parsed) => (parsed.ok ? respondIn(c, parsed) : problem(c, parsed)))
            : respondIn(c, nothingSent);
        if ((!isForParts || parts.areStarted()) && base.known() !== null) return serve();
        return whenPartsStarted(c, isForParts ? parts : null, base.whenKnown(startMs)).then((isKnown) =>
          isKnown ? serve() : problem(c, starting),
        );
      },
    );
  };
