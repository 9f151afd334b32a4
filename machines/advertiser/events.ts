/** Address family that the advertisement is made over. */
export type LanFamily = 'ipv4' | 'ipv6';

/**
 * The way by which other machines of the network reach this one; an address, so it stays out of status and diagnostics.
 */
export interface Lan {
  /** Name of the interface, `eth0`. */
  readonly interface: string;
  readonly address: string;
  readonly family: LanFamily;
}

/** What is to be announced on the network. */
export interface DesiredAdvertisement {
  readonly panelId: string;
  readonly friendlyName: string;
  /** Version of this agent. */
  readonly version: string;
  /** TCP port that the pages are really listened on. */
  readonly port: number;
}

/** One advertisement as the responder is given it; the probe token is added by whoever starts the responder. */
export interface Advertisement {
  /** Instance name, at most 63 bytes. */
  readonly instance: string;
  /** Host name without a domain, at most 63 bytes. */
  readonly host: string;
  readonly port: number;
  /** Each `key=value` at most 255 bytes (RFC 6763, 6.1). */
  readonly txt: Readonly<Record<string, string>>;
}

/** What a question to the network for the own advertisement gave: only `visible` and `missing` are counted. */
export type ProbeResult = 'visible' | 'missing' | 'inconclusive' | 'unavailable';

/** Why the responder is rebuilt. */
export type RecoveryCode = 'no-response' | 'responder-died' | 'teardown-failed' | 'recreation-failed';

/** What the driver is told. */
export type AdvertiserCommand =
  /** Start a responder; one that runs says goodbye first. */
  | {
      readonly type: 'responder.start';
      readonly generation: number;
      readonly lan: Lan;
      readonly advertisement: Advertisement;
    }
  /** Say goodbye and end. */
  | { readonly type: 'responder.stop' }
  /** Ask the network for the own advertisement. */
  | { readonly type: 'responder.ask'; readonly ask: number };

/** What the driver reports. */
export type AdvertiserFact =
  | { readonly type: 'responder.up'; readonly generation: number; readonly renamed: boolean }
  /** Another machine took the name; the responder goes on under another one. */
  | { readonly type: 'responder.renamed'; readonly generation: number }
  /** It ended by itself or could not be started or ended. */
  | { readonly type: 'responder.failed'; readonly generation: number; readonly code: RecoveryCode }
  | { readonly type: 'responder.asked'; readonly ask: number; readonly result: ProbeResult };

/** The way to the network; null while there is none. */
export interface LanFact {
  readonly type: 'lan.observed';
  readonly lan: Lan | null;
}

/** What is to be announced; null for nothing. */
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
  /** A person asks: ask the network now, and try again where trying had ended. */
  | { readonly type: 'advertiser.probe' };

/** How the advertisement is kept visible. */
export interface Recovery {
  readonly phase: 'healthy' | 'recovering' | 'exhausted';
  /** Questions in a row that nobody answered, 0 to 3. */
  readonly misses: number;
  /** Rebuilds reserved since it was last visible, 0 to 3. */
  readonly attempts: number;
  /** Rebuilds since the agent started. */
  readonly rebuilds: number;
  /** The rebuild that is due after `delayMs`; its token makes a stale one do nothing. */
  readonly pending: { readonly token: number; readonly delayMs: number } | null;
  /** Raised with every reservation. */
  readonly token: number;
  /** Why the last rebuild was reserved; null while healthy. */
  readonly code: RecoveryCode | null;
}

/** Whether a responder runs: `idle` where nothing is announced, `down` when it ended or could not be started. */
export type ResponderState = 'idle' | 'starting' | 'up' | 'down';

/** Facts of the advertisement; the responder's state is derived from the advertiser's (`responder-state.ts`). */
export interface AdvertiserContext {
  /** `unseen` until the interfaces were read once, then the way to the network or null where there is none. */
  readonly lan: Lan | null | 'unseen';
  readonly desired: DesiredAdvertisement | null;
  /** What the last question gave; null before the first. */
  readonly seen: ProbeResult | null;
  readonly renamed: boolean;
  readonly recovery: Recovery;
}

/** What the actor of the advertisement on the network shows to the rest of the house. */
export interface AdvertiserActor {
  readonly id: 'advertiser';
  readonly context: AdvertiserContext;
  readonly event: Extract<AdvertiserEvent, { readonly type: 'advertiser.probe' }>;
}
