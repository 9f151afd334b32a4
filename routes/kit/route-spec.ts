import type { z } from 'zod';
import type { Context } from 'hono';
import type { HttpBindings, UploadedFile } from '#machines/http/events.ts';
import { once } from '#machines/kit/once.ts';
import type { Protection } from '#machines/kit/operation.ts';
import type { Operation } from '#machines/operations.ts';
import type { Answer } from './answer.ts';
import type { ProblemCode, Refusal } from './problem.ts';
import type { Tag } from './tags.ts';

/** How a route is guarded before it is routed (contract, "Pre-routing checks"). */
export type Guard = 'ordinary' | 'active' | 'write';

/** The environment of every handler: what the listener knows of the raw request. */
export interface Env {
  readonly Bindings: Partial<HttpBindings>;
}

/** A value of a flat body. */
export type Scalar = string | number | boolean | null;

/** How a body that does not match its schema is refused. */
export interface BodyRefusal {
  /** The code, unless a field has its own. */
  readonly code: ProblemCode;
  /** Codes of single fields at the top level. */
  readonly fields?: Readonly<Record<string, ProblemCode>>;
  /** Codes of rules over several fields, from `params.problem` of their issue. */
  readonly rules?: readonly ProblemCode[];
}

/** A JSON object, or a form whose values are turned into the types of the schema, parsed by its schema. */
export interface ParsedBody {
  readonly reads?: 'schema';
  readonly description: string;
  readonly schema: z.ZodType;
  /** The part of it that a form can carry: the schema itself if absent; null for none. */
  readonly form?: z.ZodType | null;
  readonly refusal: BodyRefusal;
  readonly example?: unknown;
}

/** One flat object of scalars, validated by the actor that it is for; the schema serves the document only. */
export interface FlatBody {
  readonly reads: 'flat';
  readonly description: string;
  /** Made when the document is first requested. */
  readonly schema: () => z.ZodType;
  readonly refusal: Pick<BodyRefusal, 'code'>;
  readonly example?: unknown;
}

/** Bytes that the handler reads itself; the schemas of the media types serve the document only. */
export interface RawBody {
  readonly reads: 'raw';
  readonly description: string;
  readonly types: Readonly<Record<string, { readonly schema: z.ZodType; readonly example?: unknown }>>;
}

/** Bytes that are received into a file, which is removed once the request was answered; else like `RawBody`. */
export interface FileBody extends Omit<RawBody, 'reads'> {
  readonly reads: 'file';
}

/** The body of a request. */
export type BodySpec = ParsedBody | FlatBody | RawBody | FileBody;

/** What protects a request to a route; a closed one is refused in Hardened mode with that code. */
export type RouteProtection = Protection<Operation, 'remote-input-disabled'>;

/** What a route is, beside the schemas of its input and answers. */
interface RouteFacts {
  /** Name of the operation for generated clients; it never changes. */
  readonly operationId: string;
  readonly method: 'get' | 'post';
  /** Path with `{name}` parameters. */
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  /** An alias of an operation, or an operation that is gone. */
  readonly deprecated?: boolean;
  /** A tool for developers of Sconce or of a profile. */
  readonly developer?: boolean;
  readonly guard: Guard;
  /** For a GET that is active only with this query parameter. */
  readonly activeQuery?: string;
  /**
   * Its address holds a one-use secret: every answer at the path, its flat twin and below them has `Referrer-Policy:
   * no-referrer`, and HEAD does not use the secret up.
   */
  readonly secretive?: true;
  /**
   * What protects it: null if it is open, an operation that needs a person in front of the panel, or that it is closed
   * in Hardened mode (contract, "Security modes"); or a function of the parsed request to one of these, whose parameter
   * is what it needs of `Sent`.
   */
  readonly protects: RouteProtection | ((sent: never) => RouteProtection);
  /** The operations that such a function can return, for the document. */
  readonly operations?: readonly Operation[];
  /**
   * Refuses what its handler would refuse anyway, before a person is asked; it changes nothing, and the handler judges
   * again. Its parameter is what it needs of `Sent`.
   */
  readonly check?: (sent: never) => Refusal | null | Promise<Refusal | null>;
  /** A read that would answer with a default before its part was started: it waits for the start. */
  readonly awaitsParts?: true;
  /** Largest body accepted in bytes; 0 for none. */
  readonly maxBodyBytes: number;
  /** Refuses a request before any of it is parsed. */
  readonly admit?: (c: Context<Env>) => Refusal | null;
  /** How invalid parameters are refused. */
  readonly unknown?: { readonly code: ProblemCode; readonly message: string };
  /** Refusals of its handler, beyond those of its schemas and of the pre-routing checks. */
  readonly problems: readonly ProblemCode[];
}

interface RouteSchemas {
  /** Parameters of the path. */
  readonly params: z.ZodObject;
  /** Parameters of the query; others are refused unless it is a loose object. */
  readonly query: z.ZodObject;
  /** Headers that the route reads. */
  readonly headers: z.ZodObject;
  readonly body: BodySpec;
  readonly answers: Readonly<Record<number, Answer>>;
}

type Optional = Exclude<keyof RouteSchemas, 'answers'>;

/** A route as its family declares it: schemas are made when a request or the document first needs them. */
export type RouteDeclaration = RouteFacts & { readonly answers: () => RouteSchemas['answers'] } & {
  readonly [K in Optional]?: () => RouteSchemas[K];
};

/** Everything about a route that checks, walks, tests and the OpenAPI document read. */
export type RouteSpec = RouteFacts & { readonly answers: RouteSchemas['answers'] } & {
  readonly [K in Optional]: RouteSchemas[K] | undefined;
};

/** A declared route in the form that everything else reads. */
export function routeOf(declared: RouteDeclaration): RouteSpec {
  const made = {
    params: declared.params && once(declared.params),
    query: declared.query && once(declared.query),
    headers: declared.headers && once(declared.headers),
    body: declared.body && once(declared.body),
    answers: once(declared.answers),
  };
  return {
    ...declared,
    get params() {
      return made.params?.();
    },
    get query() {
      return made.query?.();
    },
    get headers() {
      return made.headers?.();
    },
    get body() {
      return made.body?.();
    },
    get answers() {
      return made.answers();
    },
  };
}

type Nothing = Readonly<Record<string, never>>;
type OutputOf<T> = T extends z.ZodType ? z.output<T> : Nothing;

type BodyOf<B> = B extends { readonly reads: 'raw' }
  ? undefined
  : B extends { readonly reads: 'file' }
    ? UploadedFile
    : B extends { readonly reads: 'flat' }
      ? Readonly<Record<string, Scalar>>
      : B extends { readonly schema: infer T }
        ? OutputOf<T>
        : undefined;

/** The codes with which the handler of a route may refuse. */
type CodeOf<S extends RouteDeclaration> =
  | S['problems'][number]
  | (S extends { readonly body: () => { readonly refusal: { readonly code: infer C extends ProblemCode } } }
      ? C
      : never);

declare const answered: unique symbol;

/** A response that was made by `answer`, so that it matches what the route declares. */
export type Answered = Response & { readonly [answered]: true };

type AnswersOf<S extends RouteDeclaration> = ReturnType<S['answers']>;

type HeadersGiven<A> = A extends { readonly needs?: infer H }
  ? [Exclude<H, undefined>] extends [infer N extends string]
    ? [N] extends [never]
      ? []
      : [headers: Readonly<Record<N, string>>]
    : []
  : [];

/** What a handler is given: the request, its parsed parts, and the way to answer. */
export interface Asked<S extends RouteDeclaration> {
  readonly c: Context<Env>;
  readonly params: S extends { readonly params: () => infer P } ? OutputOf<P> : Nothing;
  readonly query: S extends { readonly query: () => infer Q } ? OutputOf<Q> : Nothing;
  readonly body: S extends { readonly body: () => infer B } ? BodyOf<B> : undefined;
  /** Answers with one of the declared status codes and a value that matches its schema. */
  readonly answer: <K extends keyof AnswersOf<S> & number>(
    status: K,
    value: AnswersOf<S>[K] extends { readonly gives?: infer V } ? Exclude<V, undefined> : never,
    ...headers: HeadersGiven<AnswersOf<S>[K]>
  ) => Answered;
}

/** A parsed request, as the functions of its declaration get it. */
export type Sent<S extends RouteDeclaration = RouteDeclaration> = Pick<Asked<S>, 'c' | 'params' | 'query' | 'body'> & {
  /** The body as text if the route reads it raw; otherwise "". */
  readonly text: string;
};

type Takes<S extends RouteDeclaration, P> = Sent<S> extends P ? unknown : never;

/** Compiles only if the functions of a declaration take what its schemas give and return what it declares. */
export type Fitting<S extends RouteDeclaration> = {
  readonly protects: S['protects'] extends (sent: infer P) => unknown
    ? S extends { readonly operations: readonly [Operation, ...Operation[]] }
      ? Takes<S, P>
      : never
    : unknown;
} & (S extends { readonly check: (sent: infer P) => infer R }
  ? { readonly check: Awaited<R> extends Refusal<CodeOf<S>> | null ? Takes<S, P> : never }
  : unknown);

type Outcome<S extends RouteDeclaration> = Answered | Refusal<CodeOf<S>>;

/** The handler of a route: it answers as declared, or refuses with a declared code. */
export type Handler<S extends RouteDeclaration> = (asked: Asked<S>) => Outcome<S> | Promise<Outcome<S>>;
