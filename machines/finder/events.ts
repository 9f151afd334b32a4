/** One Home Assistant on the network, from its `_home-assistant._tcp` advertisement. */
export interface FoundInstance {
  /** Its instance uuid, or its host name if it sends none. */
  readonly id: string;
  /** Advertised host name, lower-case; anyone on the network can answer for it. */
  readonly name: string;
  /** IPv4 address of that host. */
  readonly host: string;
  /** TCP port of its web interface. */
  readonly port: number;
  /** Its internal URL as advertised; null if there is none. Anyone on the network can advertise anything. */
  readonly internalUrl: string | null;
}

/** The one Home Assistant on the network. */
export interface Discovered {
  /** IPv4 address of its host. */
  readonly host: string;
  /** URL of its web interface, http or https. */
  readonly url: string;
}

/** Facts from browsing. */
export type FinderFact =
  /** All instances that are advertised now. */
  | { readonly type: 'finder.observed'; readonly instances: readonly FoundInstance[] }
  /** The network cannot be browsed; the code is a POSIX error name. */
  | { readonly type: 'finder.unavailable'; readonly code: string };

/** Says whether browsing is wanted. */
export interface WantedFact {
  readonly type: 'finder.wanted';
  readonly wanted: boolean;
}

/** The agent was started with `--no-discovery`: it never browses the network. */
export interface SwitchedOffFact {
  readonly type: 'finder.switched-off';
}

/**
 * Finds the Home Assistant on the network, also while a broker is configured; answered by one `reply` with a
 * `Discovered`, or null unless exactly one was found.
 */
export interface FindRequest {
  readonly type: 'finder.find';
  readonly requestId: string;
}

/** Everything that reaches the finder. */
export type FinderEvent = FinderFact | WantedFact | SwitchedOffFact | FindRequest;

/** Facts of browsing for Home Assistant. */
export interface FinderContext {
  /** True while no broker is configured. */
  readonly wanted: boolean;
  /** `idle` while a broker is configured, `off` with `--no-discovery`. */
  readonly outcome: 'idle' | 'searching' | 'found' | 'ambiguous' | 'unavailable' | 'off';
  /** Address of the only Home Assistant that was found; kept out of diagnostics. */
  readonly host: string | null;
  /** Host name that this address was advertised under; kept out of diagnostics too. */
  readonly name: string | null;
  readonly count: number;
  /** Error code while browsing is unavailable; null otherwise. */
  readonly failure: string | null;
}

export interface FinderActor {
  readonly id: 'finder';
  readonly context: FinderContext;
  readonly event: FindRequest;
  readonly asks: { readonly 'finder.find': Discovered | null };
}
