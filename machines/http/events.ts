/** Facts from the listener. */
export type HttpFact =
  | { readonly type: 'http.listening'; readonly port: number; readonly family: 'dual' | 'ipv4' }
  /** The port is taken or forbidden: `EADDRINUSE`, `EACCES`. */
  | { readonly type: 'http.taken'; readonly code: string }
  /** It is no longer listening. */
  | { readonly type: 'http.lost'; readonly code: string };

export type HttpEvent = { readonly type: 'http.stop' } | HttpFact;

/** Facts of the listener. */
export interface HttpContext {
  /** TCP port; -1 while it is not listening. */
  readonly port: number;
  readonly wantedPort: number;
  /** `dual` on `::`, `ipv4` if IPv6 is off, null while it is not listening. */
  readonly family: 'dual' | 'ipv4' | null;
  /** Why it is not listening: `EADDRINUSE`, `EACCES`; null while all is well. */
  readonly failure: string | null;
  /** Failures in a row. */
  readonly attempt: number;
}

/** A request body that was received into a file; the file is removed once the request was answered. */
export interface UploadedFile {
  readonly path: string;
  readonly bytes: number;
  /** SHA-256 of its bytes in lower-case hexadecimal digits. */
  readonly sha256: string;
}

/** What the listener passes to a handler besides the request: hono's `Bindings`. */
export interface HttpBindings {
  /** The peer's address: IPv4-mapped as IPv4, lower case, without a zone. */
  readonly peer: string;
  /** The request's head as received; the `Request` itself has a constant Host. */
  readonly incoming: { readonly rawHeaders: readonly string[] };
  /**
   * Waits for something that this peer did not cause (the start of the agent): meanwhile the response does not count as
   * in progress. If the peer disconnects, the wait never ends.
   */
  readonly aside: <T>(wait: Promise<T>) => Promise<T>;
  /** The body, if its path receives bodies into files; else null. */
  readonly upload: UploadedFile | null;
}

/** A response that is created without a request object and without the routes. */
export interface EarlyAnswer {
  readonly status: number;
  /** Alternating names and values, besides the security headers and the length. */
  readonly head: readonly string[];
  readonly text: string;
}

/** The target of a request in canonical form, so that a check and the router cannot read it differently. */
export interface Target {
  /** Begins with `/`; dot segments resolved, needless percent-encoding undone. */
  readonly path: string;
  /** Everything after `?`, unchanged; '' if there is none. */
  readonly query: string;
}

/** A request as received, before anything interpreted it. */
export interface RawRequest {
  readonly method: string;
  /** The request target, second in the request line. */
  readonly rawTarget: string;
  /** Alternating names and values, in their original order and spelling. */
  readonly rawHeaders: readonly string[];
  /** The peer's address from the kernel; '' if it has already disconnected. */
  readonly peerAddress: string;
}

/** What a request is checked against. */
export interface AdmissionPolicy {
  /** Ranges of the panel's own interfaces in CIDR notation. */
  readonly ownPrefixes: readonly string[];
  /** Names in `http_allowed_hosts`: lower case, without a trailing dot. */
  readonly allowedHosts: readonly string[];
  /**
   * True if a GET starts real work (capture, a subprocess, sampling, a network refresh); `query` is without its `?`.
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
  /** Admits a request to routing, with its canonical target, or refuses it. */
  readonly admit: (request: RawRequest, policy: AdmissionPolicy) => Admission;
  /** True if an address belongs to this network; `ownPrefixes` in CIDR notation. */
  readonly isLanPeer: (address: string, ownPrefixes: readonly string[]) => boolean;
}

export interface HttpActor {
  readonly id: 'http';
  readonly context: HttpContext;
  readonly event: Extract<HttpEvent, { readonly type: 'http.stop' }>;
}
