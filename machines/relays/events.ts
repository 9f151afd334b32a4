import type { DriverLogic } from '../kit/placeholder.ts';
import type { Verdict } from '../kit/verdict.ts';

/** Registry ids and entity keys of the relays (contract, "Platform entities"). */
export const relayIds = ['relay1', 'relay2', 'relay3', 'relay4'] as const;

/** One of the relays. */
export type RelayId = (typeof relayIds)[number];

/** What the profile says about a relay when the agent starts: the state it had last, on, or off. */
const relayRestores = ['keep', 'on', 'off'] as const;
export type RelayRestore = (typeof relayRestores)[number];

/** Commands of a relay's driver. Each is answered once with its generation, except one that a newer one overtook. */
export interface RelayDriverCommand {
  readonly type: 'relay.switch';
  readonly generation: number;
  readonly closed: boolean;
}

/** What a relay's driver reports. */
export type RelayFact =
  | { readonly type: 'relay.found'; readonly found: boolean; readonly verdict: Verdict; readonly restore: RelayRestore }
  /** What was read back, after each write and when somebody else changed it. */
  | { readonly type: 'relay.observed'; readonly closed: boolean }
  /** The answer to a command that was carried out; what was read back was reported before it. */
  | { readonly type: 'relay.written'; readonly generation: number }
  /**
   * The answer to a command that the device refused, with the POSIX name of the error; `not-taken` where it took the
   * write and reads back the other state.
   */
  | { readonly type: 'relay.refused'; readonly generation: number; readonly code: string };

/** Contract of a relay's driver. */
export type RelayDriver = DriverLogic<RelayDriverCommand, undefined, RelayFact>;

/** Commands of a relay's store. */
export interface RelayStoreCommand {
  readonly type: 'relay.keep';
  readonly closed: boolean;
}

/** What the store of a relay reports. */
export interface RelayStoreFact {
  readonly type: 'relay.recalled';
  /** The state that the relay had when it was last seen; null where nothing is remembered. */
  readonly closed: boolean | null;
}

export type RelayEvent =
  | { readonly type: 'relay.set'; readonly closed: boolean; readonly origin: string }
  | RelayStoreFact
  | RelayFact;

/** Public facts of one relay. */
export interface RelayContext {
  readonly verdict: Verdict;
  /** What was read back; null while unknown. */
  readonly closed: boolean | null;
  /** What it is wanted to be; null before the first request, after a refused one and after it changed by itself. */
  readonly wanted: boolean | null;
  /** What the profile says about the start. */
  readonly restore: RelayRestore;
  /**
   * Why the last request was not carried out: the POSIX name of an error, `not-taken`, `no-answer` or `gone`; null
   * after one that was.
   */
  readonly fault: string | null;
}

/** What the actor of a relay shows to the rest of the house. */
export interface RelayActor {
  readonly id: RelayId;
  readonly context: RelayContext;
  readonly event: Extract<RelayEvent, { readonly type: 'relay.set' }>;
}
