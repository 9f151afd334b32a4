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

/** What the listener gives the handler of a request beside the request itself: hono's `Bindings`. */
export interface HttpBindings {
  /** The peer's address: IPv4-mapped ones as IPv4, lower case, without a zone. */
  readonly peer: string;
  /** The request's head as it came over the wire; the `Request` itself carries a constant Host. */
  readonly incoming: { readonly rawHeaders: readonly string[] };
  /**
   * Waits for something that no request of this peer is the reason for (the start of the agent): meanwhile the response
   * does not count as one that is being made. What waits for a peer who has gone never goes on.
   */
  readonly aside: <T>(wait: Promise<T>) => Promise<T>;
}

/** An answer that is made without a request object and without the routes. */
export interface EarlyAnswer {
  readonly status: number;
  /** Names and values by turns, beside the security headers and the length. */
  readonly head: readonly string[];
  readonly text: string;
}

/** What a request asks for, in one spelling, so that a check and the router cannot read it differently. */
export interface Target {
  /** Begins with `/`; dot segments resolved, needless percent-encoding undone. */
  readonly path: string;
  /** What stood behind `?`, as it was written; '' where there was nothing. */
  readonly query: string;
}

/** A request as it came over the wire, before anything interpreted it. */
export interface RawRequest {
  readonly method: string;
  /** The second word of the request line. */
  readonly rawTarget: string;
  /** Names and values by turns, in the order and spelling of the wire. */
  readonly rawHeaders: readonly string[];
  /** The other end of the connection as the kernel gives it; '' when it is already gone. */
  readonly peerAddress: string;
}

/** What a request is measured against. */
export interface AdmissionPolicy {
  /** Ranges of the panel's own interfaces in CIDR spelling. */
  readonly ownPrefixes: readonly string[];
  /** Names of `http_allowed_hosts`: lower case, without a final dot. */
  readonly allowedHosts: readonly string[];
  /**
   * True if a GET starts real work (capture, a subprocess, sampling, a network refresh); `query` comes without its `?`.
   */
  readonly activeGets: (path: string, query: string) => boolean;
}

/** Why a request was refused before routing. */
export type AdmissionError = 'peer-not-local' | 'host-not-allowed' | 'cross-origin-refused';

/** The decision about one request. */
export type Admission =
  | { readonly admitted: true; readonly target: Target }
  | { readonly admitted: false; readonly status: 403; readonly error: AdmissionError; readonly message: string };

/** The pre-routing decisions that the listener carries out. */
export interface PreRouting {
  /** Whether a request is let through to routing, and as what. */
  readonly admit: (request: RawRequest, policy: AdmissionPolicy) => Admission;
  /** True if an address belongs to this network; `ownPrefixes` in CIDR spelling. */
  readonly isLanPeer: (address: string, ownPrefixes: readonly string[]) => boolean;
}

/** What the actor of the web server shows to the rest of the house. */
export interface HttpActor {
  readonly id: 'http';
  readonly context: HttpContext;
  readonly event: Extract<HttpEvent, { readonly type: 'http.stop' }>;
}
