export type HttpEvent = { readonly type: 'http.stop' };

/** Facts of the listener. */
export interface HttpContext {
  /** TCP port listened on; -1 while it is not listening. */
  readonly port: number;
  readonly wantedPort: number;
  /** `dual` on `::`, `ipv4` where IPv6 is off, null before. */
  readonly family: 'dual' | 'ipv4' | null;
  /** Why it is not listening: `EADDRINUSE`, `EACCES`; null while all is well. */
  readonly failure: string | null;
  readonly attempt: number;
}
