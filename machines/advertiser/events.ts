/** Address family that the advertisement is made over. */
export type LanFamily = 'ipv4' | 'ipv6';

/** The address at which other machines on the network reach this one; kept out of status and diagnostics. */
export interface Lan {
  /** Name of the interface, `eth0`. */
  readonly interface: string;
  readonly address: string;
  readonly family: LanFamily;
}

/** The desired advertisement on the network. */
export interface DesiredAdvertisement {
  readonly panelId: string;
  readonly friendlyName: string;
  /** Version of this agent. */
  readonly version: string;
  /** TCP port that the web server actually listens on. */
  readonly port: number;
}

/** One advertisement for the responder; the driver adds the probe token. */
export interface Advertisement {
  /** Instance name, at most 63 bytes. */
  readonly instance: string;
  /** Host name without a domain, at most 63 bytes. */
  readonly host: string;
  readonly port: number;
  /** Each `key=value` at most 255 bytes (RFC 6763, 6.1). */
  readonly txt: Readonly<Record<string, string>>;
}

/** The result of querying the network for our own advertisement: only `visible` and `missing` count. */
export type ProbeResult = 'visible' | 'missing' | 'inconclusive' | 'unavailable';

/** Why the responder is rebuilt. */
export type RecoveryCode = 'no-response' | 'responder-died' | 'teardown-failed' | 'recreation-failed';

/** Commands for the driver. */
export type AdvertiserCommand =
  /** Start a responder; a running one says goodbye first. */
  | {
      readonly type: 'responder.start';
      readonly generation: number;
      readonly lan: Lan;
      readonly advertisement: Advertisement;
    }
  /** Say goodbye and end. */
  | { readonly type: 'responder.stop' }
  /** Query the network for our own advertisement. */
  | { readonly type: 'responder.ask'; readonly ask: number };

/** Facts from the driver. */
export type AdvertiserFact =
  | { readonly type: 'responder.up'; readonly generation: number; readonly renamed: boolean }
  /** Another machine took the name; the responder continues under a different one. */
  | { readonly type: 'responder.renamed'; readonly generation: number }
  /** It ended unexpectedly, or could not be started or stopped. */
  | { readonly type: 'responder.failed'; readonly generation: number; readonly code: RecoveryCode }
  | { readonly type: 'responder.asked'; readonly ask: number; readonly result: ProbeResult };

/** The address on the network; null without one. */
export interface LanFact {
  readonly type: 'lan.observed';
  readonly lan: Lan | null;
}

/** The desired advertisement; null for none. */
export interface DesiredFact {
  readonly type: 'advertisement.desired';
  readonly desired: DesiredAdvertisement | null;
}

/** Everything that reaches the advertiser. */
export type AdvertiserEvent =
  | AdvertiserFact
  | LanFact
  | DesiredFact
  | { readonly type: 'advertiser.rebuild-due'; readonly token: number }
  /** "Check again": query the network now, and start over after giving up. */
  | { readonly type: 'advertiser.probe' };

/** The state of keeping the advertisement visible. */
export interface Recovery {
  readonly phase: 'healthy' | 'recovering' | 'exhausted';
  /** Unanswered queries in a row, 0 to 3. */
  readonly misses: number;
  /** Rebuilds scheduled since it was last visible, 0 to 3. */
  readonly attempts: number;
  /** Rebuilds since the agent started. */
  readonly rebuilds: number;
  /** The rebuild that is due after `delayMs`; the token invalidates a stale one. */
  readonly pending: { readonly token: number; readonly delayMs: number } | null;
  /** Incremented with every scheduled rebuild. */
  readonly token: number;
  /** Why the last rebuild was scheduled; null while healthy. */
  readonly code: RecoveryCode | null;
}

/** State of the responder: `idle` while nothing is announced, `down` after it ended or could not be started. */
export type ResponderState = 'idle' | 'starting' | 'up' | 'down';

/** Public facts; the responder's state is derived from the machine's (`responder-state.ts`). */
export interface AdvertiserContext {
  /** `unseen` until the interfaces were read once, then the address on the network, or null without one. */
  readonly lan: Lan | null | 'unseen';
  readonly desired: DesiredAdvertisement | null;
  /** Result of the last query; null before the first. */
  readonly seen: ProbeResult | null;
  readonly renamed: boolean;
  readonly recovery: Recovery;
}

export interface AdvertiserActor {
  readonly id: 'advertiser';
  readonly context: AdvertiserContext;
  readonly event: Extract<AdvertiserEvent, { readonly type: 'advertiser.probe' }>;
}
