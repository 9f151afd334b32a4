import type { ConnectionInput } from '../mqtt/events.ts';

/** Where a broker may be, and how the link would get there. */
export type ProbeTarget = Pick<ConnectionInput, 'host' | 'port' | 'tls' | 'addressFamily'>;

/** Why nothing answered; the code is Node's or OpenSSL's, or one of the driver's own, and names no address. */
export interface ProbeFailure {
  readonly status: 'failed';
  readonly error: 'unresolvable' | 'unreachable';
  readonly code: string;
}

/** What came of one probe. */
export type ProbeOutcome =
  /** The address that the connection was made to. */
  { readonly status: 'answered'; readonly address: string } | ProbeFailure;

/** What its caller is told. */
export type ProbeAnswer =
  | ProbeOutcome
  /** Another probe was asked for before this one ended. */
  | { readonly status: 'replaced' };

/** What the driver of one probe reports, once. */
export interface ProbeFact {
  readonly type: 'probe.ended';
  readonly outcome: ProbeOutcome;
}

/** Whether anything answers at this place: cancels the probe under way; one `reply` with a `ProbeAnswer`. */
export interface ProbeRequest {
  readonly type: 'broker-probe.probe';
  readonly requestId: string;
  readonly target: ProbeTarget;
}

export type BrokerProbeEvent = ProbeRequest | ProbeFact;

/** Public facts of the probe: none of where it goes. */
export interface BrokerProbeContext {
  /** The request that waits; null while no probe is under way. */
  readonly requestId: string | null;
}

/** What the actor of the broker's probe shows to the rest of the house. */
export interface BrokerProbeActor {
  readonly id: 'broker-probe';
  readonly context: BrokerProbeContext;
  readonly event: ProbeRequest;
  readonly asks: { readonly 'broker-probe.probe': ProbeAnswer };
}
