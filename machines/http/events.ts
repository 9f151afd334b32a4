/** What the listener reports. */
export type HttpFact =
  | { readonly type: 'http.listening'; readonly port: number; readonly family: 'dual' | 'ipv4' }
  /** The port cannot be had now: `EADDRINUSE`, `EACCES`. */
  | { readonly type: 'http.taken'; readonly code: string }
  /** It was listening and is not any more. */
  | { readonly type: 'http.lost'; readonly code: string };

export type HttpEvent = { readonly type: 'http.stop' } | HttpFact;

/** Facts of the listener. */
export interface HttpContext {
  /** TCP port listened on; -1 while it is not listening. */
  readonly port: number;
  readonly wantedPort: number;
  /** `dual` on `::`, `ipv4` where IPv6 is off, null before. */
  readonly family: 'dual' | 'ipv4' | null;
  /** Why it is not listening: `EADDRINUSE`, `EACCES`; null while all is well. */
  readonly failure: string | null;
  /** How often in a row it failed to listen. */
  readonly attempt: number;
}

/** What the listener tells the handler of a request beside the request itself: hono's `Bindings`. */
export interface HttpBindings {
  /** The peer's address: IPv4-mapped ones as IPv4, lower case, without a zone. */
  readonly peer: string;
  /** The request's head as it came over the wire; the `Request` itself carries a constant Host. */
  readonly incoming: { readonly rawHeaders: readonly string[] };
}
