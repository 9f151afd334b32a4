import type { Milliseconds } from '../kit/units.ts';
import type { Binding, DesiredBroker, MqttContext } from './events.ts';

/** All facts of the link; other rooms only see the public part. */
export interface LinkFacts extends MqttContext {
  readonly desired: DesiredBroker | null;
  /** The broker that is found now, while a session with an earlier one is kept; otherwise null. */
  readonly upcoming: DesiredBroker | null;
  /** The recipient of the password; null until it was read. */
  readonly binding: Binding | null;
  /** How long an open password stays open, in milliseconds since it was noted. */
  readonly openMs: Milliseconds;
  /** Revision of the password that the binding is for. */
  readonly passwordRevision: number;
  /** Number of the connection attempt whose facts count. */
  readonly generation: number;
  /** Protocol of the next attempt. */
  readonly speak: 4 | 5;
  /** Attempts in a row that the broker closed without an answer, in the current protocol. */
  readonly unanswered: number;
  /** Protocols that brokers are known to speak, by host and port; the newest 8. */
  readonly spoken: readonly { readonly broker: string; readonly protocol: 4 | 5 }[];
  /** True if a publisher publishes for the panel. */
  readonly hasPublisher: boolean;
  /** True if the panel was withdrawn from Home Assistant: nothing of it may stay on the broker. */
  readonly withdrawn: boolean;
}

/** The facts before anything is known. */
export const initialFacts: LinkFacts = {
  protocol: null,
  failure: null,
  attempt: 0,
  drops: 0,
  failingSince: null,
  refusedCredentials: false,
  isAnonymous: true,
  onlyLost: false,
  connectedAt: null,
  session: 0,
  source: 'none',
  release: 'send',
  refusedConfirmation: null,
  panelId: null,
  settingsRevision: 0,
  isUnneeded: false,
  desired: null,
  upcoming: null,
  binding: null,
  openMs: 0,
  passwordRevision: 0,
  generation: 0,
  speak: 5,
  unanswered: 0,
  spoken: [],
  hasPublisher: false,
  withdrawn: false,
};
