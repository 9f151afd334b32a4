import type { DriverLogic } from '../kit/placeholder.ts';
import type { Verdict } from '../kit/verdict.ts';

/** Registry ids and entity keys of the relays (contract, "Platform entities"). */
export const relayIds = ['relay1', 'relay2', 'relay3', 'relay4'] as const;

export type RelayId = (typeof relayIds)[number];

/** The profile's rule for the start of the agent: the last state, on, or off. */
const relayRestores = ['keep', 'on', 'off'] as const;
export type RelayRestore = (typeof relayRestores)[number];

/** Commands of a relay's driver. Each is answered once with its generation, unless a newer one overtook it. */
export interface RelayDriverCommand {
  readonly type: 'relay.switch';
  readonly generation: number;
  readonly closed: boolean;
}

/** Reported by a relay's driver. */
export type RelayFact =
  | { readonly type: 'relay.found'; readonly found: boolean; readonly verdict: Verdict; readonly restore: RelayRestore }
  /** What was read back, after each write and after a change from outside. */
  | { readonly type: 'relay.observed'; readonly closed: boolean }
  /** The answer to a command that was carried out; the read-back was reported before it. */
  | { readonly type: 'relay.written'; readonly generation: number }
  /**
   * The answer to a command that the device refused, with the POSIX name of the error; `not-taken` if it accepted the
   * write but reads back the other state.
   */
  | { readonly type: 'relay.refused'; readonly generation: number; readonly code: string };

/** Contract of a relay's driver. */
export type RelayDriver = DriverLogic<RelayDriverCommand, undefined, RelayFact>;

/** Commands of a relay's store. */
export interface RelayStoreCommand {
  readonly type: 'relay.keep';
  readonly closed: boolean;
}

/** Reported by the store of a relay. */
export interface RelayStoreFact {
  readonly type: 'relay.recalled';
  /** The last observed state of the relay; null if none is stored. */
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
  /** The requested state; null before the first request, after a refused one and after a change from outside. */
  readonly wanted: boolean | null;
  /** The profile's rule for the start. */
  readonly restore: RelayRestore;
  /**
   * Why the last request was not carried out: the POSIX name of an error, `not-taken`, `no-answer` or `gone`; null
   * after a successful one.
   */
  readonly fault: string | null;
}

export interface RelayActor {
  readonly id: RelayId;
  readonly context: RelayContext;
  readonly event: Extract<RelayEvent, { readonly type: 'relay.set' }>;
}
