/** One Home Assistant seen on the network by its `_home-assistant._tcp` advertisement. */
export interface FoundInstance {
  /** Its instance uuid, or its host name where it sends none. */
  readonly id: string;
  /** Host name that it is advertised on, lower-case; who answers for it on the network says its address. */
  readonly name: string;
  /** IPv4 address of that host. */
  readonly host: string;
  /** TCP port on which it is opened in a browser. */
  readonly port: number;
  /** What it says is its address inside the house; null where it says none. Anybody on the network can say anything. */
  readonly internalUrl: string | null;
}

/** The one Home Assistant on the network. */
export interface Discovered {
  /** IPv4 address of its host. */
  readonly host: string;
  /** Where it is opened in a browser, http or https. */
  readonly url: string;
}

/** What browsing reports. */
export type FinderFact =
  /** Every Home Assistant that is advertised now. */
  | { readonly type: 'finder.observed'; readonly instances: readonly FoundInstance[] }
  /** The network cannot be browsed; the code is a POSIX error name. */
  | { readonly type: 'finder.unavailable'; readonly code: string };

/** Whether browsing is wanted. */
export interface WantedFact {
  readonly type: 'finder.wanted';
  readonly wanted: boolean;
}

/** The agent was started to leave the network alone: nothing is browsed for as long as it runs. */
export interface SwitchedOffFact {
  readonly type: 'finder.switched-off';
}

/**
 * Which Home Assistant is on the network, also while a broker is configured: one `reply` with a `Discovery`, or null
 * where none was found, or more than one.
 */
export interface FindRequest {
  readonly type: 'finder.find';
  readonly requestId: string;
}

/** Everything that reaches the finder. */
export type FinderEvent = FinderFact | WantedFact | SwitchedOffFact | FindRequest;

/** Facts of browsing for Home Assistant. */
export interface FinderContext {
  /** Browsing goes on only while no broker is configured. */
  readonly wanted: boolean;
  /** `idle` while a broker is configured, `off` where the network is left alone (`--no-discovery`). */
  readonly outcome: 'idle' | 'searching' | 'found' | 'ambiguous' | 'unavailable' | 'off';
  /** Host of the broker when exactly one Home Assistant was found; an address, so it stays out of diagnostics. */
  readonly host: string | null;
  /** Host name that this address was advertised for; out of diagnostics too. */
  readonly name: string | null;
  readonly count: number;
  /** Why browsing is unavailable; null while it is not. */
  readonly failure: string | null;
}

/** What the actor of the search for Home Assistant on the network shows to the rest of the house. */
export interface FinderActor {
  readonly id: 'finder';
  readonly context: FinderContext;
  readonly event: FindRequest;
  readonly asks: { readonly 'finder.find': Discovered | null };
}
