import { z } from 'zod';

/** A value as a handler may return it: deeply read-only. */
export type Given<T> = T extends Uint8Array | Response
  ? T
  : T extends readonly (infer E)[]
    ? readonly Given<E>[]
    : T extends object
      ? { readonly [K in keyof T]: Given<T[K]> }
      : T;

/** One kind of answer of a route: `V` is what a handler returns for it, `H` the headers it must return with it. */
export interface Answer<V = unknown, H extends string = string> {
  readonly description: string;
  readonly type: string;
  readonly schema: z.ZodType;
  /** A second form of the same answer, on request by the query; a handler that returns text returns the first form. */
  readonly also?: { readonly type: string; readonly schema: z.ZodType; readonly example?: unknown };
  /** Headers beyond those that every answer has, with a sentence each. */
  readonly headers?: Readonly<Record<H, string>>;
  /** True if the caller may cache it and must revalidate it before each use; otherwise nothing caches it. */
  readonly kept?: boolean;
  readonly example?: unknown;
  /** What a handler returns; for types only. */
  readonly gives?: V;
  /** The headers that it returns with it; for types only. */
  readonly needs?: H;
}

/** What an answer may declare beyond its schema. */
interface More<H extends string> {
  readonly headers?: Readonly<Record<H, string>>;
  readonly kept?: boolean;
}

/** A JSON document, with an example of it. */
export const json = <S extends z.ZodType, H extends string = never>(
  description: string,
  schema: S,
  more: More<H> & { readonly example?: Given<z.input<S>> } = {},
): Answer<Given<z.input<S>>, NoInfer<H>> => ({ description, type: 'application/json', schema, ...more });

/** A JSON document that is cached as text, so that it is written once. */
export const jsonText = <S extends z.ZodType, H extends string = never>(
  description: string,
  schema: S,
  more: More<H> & { readonly example?: Given<z.input<S>> } = {},
): Answer<string, NoInfer<H>> => ({ description, type: 'application/json', schema, ...more });

/** Text of a media type, plain text by default. A schema may describe it further. */
export const text = <H extends string = never>(
  description: string,
  more: More<H> & { readonly example?: string; readonly type?: string; readonly schema?: z.ZodType<string> } = {},
): Answer<string, NoInfer<H>> => ({ description, type: 'text/plain; charset=UTF-8', schema: z.string(), ...more });

/** The bytes of a file of a media type. */
export const bytes = <H extends string = never>(
  description: string,
  type: string,
  more: More<H> = {},
): Answer<Uint8Array<ArrayBuffer>, NoInfer<H>> => ({
  description,
  type,
  schema: z.string().meta({ type: 'string', format: 'binary' }),
  ...more,
});

/** An answer whose response has its own kit: a page, or a stream of events. */
export const made = <H extends string = never>(
  description: string,
  type: 'text/html' | 'text/event-stream',
  more: More<H> & { readonly example?: string } = {},
): Answer<Response, NoInfer<H>> => ({ description, type, schema: z.string(), ...more });

/** Text, or a JSON document if the query asks for it. */
export const textOrJson = <S extends z.ZodType, H extends string = never>(
  description: string,
  type: string,
  schema: S,
  more: More<H> = {},
): Answer<string | Given<z.input<S>>, NoInfer<H>> => ({
  description,
  type,
  schema: z.string(),
  also: { type: 'application/json', schema },
  ...more,
});
