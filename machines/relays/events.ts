import type { Verdict } from '../kit/verdict.ts';

/** Registry ids and entity keys of the relays (contract, "Platform entities"). */
export const relayIds = ['relay1', 'relay2', 'relay3', 'relay4'] as const;

/** One of the relays. */
export type RelayId = (typeof relayIds)[number];

/** What a relay's driver is told; the latest command wins. */
export type RelayDriverCommand =
  | { readonly type: 'relay.switch'; readonly closed: boolean }
  /** Look for the device now. */
  | { readonly type: 'relay.look' };

/** What a relay's driver reports. */
export type RelayFact =
  | { readonly type: 'relay.found'; readonly found: boolean; readonly verdict: Verdict }
  /** What was read back, after each write and when somebody else changed it. */
  | { readonly type: 'relay.seen'; readonly closed: boolean }
  /** A write that the device refused, with the POSIX name of the error. */
  | { readonly type: 'relay.refused'; readonly code: string };
