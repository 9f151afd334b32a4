/** One platform seen on the network by its `_home-assistant._tcp` advertisement. */
export interface FoundPlatform {
  /** Instance uuid of the platform, or its host name where it sends none. */
  readonly id: string;
  readonly host: string;
}

export type FinderEvent =
  | { readonly type: 'finder.seen'; readonly platforms: readonly FoundPlatform[] }
  | { readonly type: 'finder.wanted'; readonly wanted: boolean }
  | { readonly type: 'finder.stop' };

/** Facts of browsing for the platform. */
export interface FinderContext {
  /** Browsing runs only while no broker is configured. */
  readonly wanted: boolean;
  readonly outcome: 'idle' | 'searching' | 'found' | 'ambiguous' | 'unavailable';
  /** Host of the broker when exactly one platform was found; an address, so it stays out of diagnostics. */
  readonly host: string | null;
  readonly count: number;
}
