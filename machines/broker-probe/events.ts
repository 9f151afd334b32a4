import type { ProbeAnswer, ProbeContext, ProbeEnded, ProbeEvent, ProbeRequest } from '../kit/probe.ts';
import type { ConnectionInput } from '../mqtt/events.ts';

/** Where a broker may be, and how the link would get there. */
export interface ProbeTarget extends Pick<ConnectionInput, 'host' | 'port' | 'tls' | 'addressFamily'> {
  /** Whether this is the broker of the settings, which is probed wherever it is. */
  readonly isSaved: boolean;
}

/**
 * Why no broker answered. `not-a-broker`: something did, but not as a broker does. `local-address`: no
 * connection was tried (`isLocalAddress` of the kit). The code is Node's or OpenSSL's, or one of the driver's own, and
 * names no address.
 */
export interface ProbeFailure {
  readonly status: 'failed';
  readonly error: 'unresolvable' | 'unreachable' | 'not-a-broker' | 'local-address';
  readonly code: string;
}

/** What came of one probe. */
export type ProbeOutcome =
  /** The address that the connection was made to. */
  { readonly status: 'answered'; readonly address: string } | ProbeFailure;

/** What the driver of one probe reports, once. */
export type ProbeFact = ProbeEnded<ProbeOutcome>;

export type BrokerProbeEvent = ProbeEvent<ProbeTarget, ProbeOutcome>;

/** What the actor of the broker's probe shows to the rest of the house. */
export interface BrokerProbeActor {
  readonly id: 'broker-probe';
  readonly context: ProbeContext;
  readonly event: ProbeRequest<ProbeTarget>;
  readonly asks: { readonly 'probe.begin': ProbeAnswer<ProbeOutcome> };
}
