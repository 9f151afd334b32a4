import type { Context } from 'hono';
import type { Admitted } from '#actors/kit/admission.ts';
import type { ProtectedRequest } from '#machines/kit/operation.ts';
import { questionText } from '#machines/kit/shown-text.ts';
import type { Operation } from '#machines/operations.ts';
import { boundRequest } from './bound-request.ts';
import type { RouteDeps } from './deps.ts';
import type { Parsed } from './parse.ts';
import type { Refusal } from './problem.ts';
import { peerOf } from './raw-request.ts';
import type { Env, RouteProtection, RouteSpec, Sent } from './route-spec.ts';
import { isTrustedLoopback } from './trusted-loopback.ts';

/** The functions of a declaration; the compiler has compared them with its schemas (`Fitting`). */
interface Judging {
  readonly protects: RouteProtection | ((sent: Sent) => RouteProtection);
  readonly check?: (sent: Sent) => Refusal | null | Promise<Refusal | null>;
}

/** Why a request of that route may not proceed; null if it may. */
export type WhyNot = (c: Context<Env>, parsed: Parsed) => Promise<Refusal | null>;

/** Every operation that a route may ask for. */
export function operationsOf({ protects, operations = [] }: RouteSpec): readonly Operation[] {
  if (typeof protects === 'string') return [protects];
  return protects !== null && 'operation' in protects ? [protects.operation] : operations;
}

const asRequest = (protection: Operation | ProtectedRequest<Operation>): ProtectedRequest<Operation> =>
  typeof protection === 'string' ? { operation: protection, what: '' } : protection;

/** The headers that a route reads, as they were sent. */
const headersOf = (c: Context<Env>, { headers }: RouteSpec): Readonly<Record<string, string | null>> =>
  Object.fromEntries(Object.keys(headers?.shape ?? {}).map((name) => [name, c.req.header(name) ?? null]));

/**
 * The body of a request as text. Read as bytes: hono keeps what is read first, and a handler may need the bytes.
 * windows-1252 has one character for each byte (WHATWG, "Encoding"), so it is exact.
 */
const textOf = async (c: Context<Env>, encoding: 'utf-8' | 'windows-1252'): Promise<string> =>
  new TextDecoder(encoding).decode(await c.req.arrayBuffer());

/** What stands for the body of a request: of a file its digest, else all of it. */
const bodyOf = async (c: Context<Env>, { body }: RouteSpec): Promise<string> =>
  body?.reads === 'file' ? `sha256:${c.env.upload?.sha256 ?? ''}` : textOf(c, 'windows-1252');

/** What an approval of a request binds, as canonical text. */
const bindingOf = async (c: Context<Env>, spec: RouteSpec, subject: string | undefined): Promise<string> =>
  boundRequest({
    method: c.req.method,
    path: c.req.path,
    query: new URL(c.req.url).searchParams,
    headers: headersOf(c, spec),
    body: subject ?? (await bodyOf(c, spec)),
    peer: peerOf(c),
  });

/** Admits the requests of a protected route: what would be refused anyway is refused first, then a person is asked. */
export function admissionOf(spec: RouteSpec, admission: RouteDeps['admission']): WhyNot {
  // `Fitting` compared what they take with what the schemas give.
  const { protects, check } = spec as unknown as Judging;
  const known = operationsOf(spec);
  const admit = async (
    c: Context<Env>,
    { operation, what, subject, effect }: ProtectedRequest<Operation>,
    trusted: boolean,
  ): Promise<Admitted> => {
    const binds = await bindingOf(c, spec, subject);
    return admission.admit({
      operation,
      what: questionText(what),
      peer: peerOf(c),
      trusted,
      binds,
      effect: effect ?? null,
    });
  };
  return async (c, parsed) => {
    const text = spec.body?.reads === 'raw' ? await textOf(c, 'utf-8') : '';
    // Parsed by the schemas of this declaration.
    const sent = { c, ...parsed, text } as Sent;
    const protection = typeof protects === 'function' ? protects(sent) : protects;
    if (protection === null) return null;
    const trusted = isTrustedLoopback(c);
    if (typeof protection === 'object' && 'closed' in protection) {
      const open = admission.admitClosed(protection, trusted);
      return open.ok ? null : open;
    }
    const wanted = asRequest(protection);
    if (!known.includes(wanted.operation)) throw new Error(`${spec.operationId} does not declare ${wanted.operation}`);
    if (!admission.asks(wanted.operation, trusted)) return null;
    const refused = (await check?.(sent)) ?? null;
    if (refused !== null) return refused;
    const outcome = await admit(c, wanted, trusted);
    return outcome.ok ? null : outcome;
  };
}
