import type { ProbeAnswer, ProbeContext, ProbeEnded, ProbeEvent, ProbeRequest } from '../kit/probe.ts';
import type { ConnectionInput } from '../mqtt/events.ts';

/** Where a broker may be, and how the link would get there. */
export interface ProbeTarget extends Pick<ConnectionInput, 'host' | 'port' | 'tls' | 'addressFamily'> {
  /** True for the broker of the settings, which is probed wherever it is. */
  readonly isSaved: boolean;
}

/**
 * Why no broker answered. `not-a-broker`: something answered, but not as a broker. `local-address`: no connection was
 * tried (`isLocalAddress` of the kit). The code is Node's, OpenSSL's or the driver's own, and contains no address.
 */
export interface ProbeFailure {
  readonly status: 'failed';
  readonly error: 'unresolvable' | 'unreachable' | 'not-a-broker' | 'local-address';
  readonly code: string;
}

/** Result of one probe. */
export type ProbeOutcome =
  /** The address that the connection was made to. */
  { readonly status: 'answered'; readonly address: string } | ProbeFailure;

/** Reported once by the driver of a probe. */
export type ProbeFact = ProbeEnded<ProbeOutcome>;

export type BrokerProbeEvent = ProbeEvent<ProbeTarget, ProbeOutcome>;

export interface BrokerProbeActor {
  readonly id: 'broker-probe';
  readonly context: ProbeContext;
  readonly event: ProbeRequest<ProbeTarget>;
  readonly asks: { readonly 'probe.begin': ProbeAnswer<ProbeOutcome> };
}
