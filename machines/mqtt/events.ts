import type { Recipient } from '../kit/recipient.ts';
import type { RequestedFrom } from '../kit/requested-from.ts';
import type { EpochMs, Milliseconds } from '../kit/units.ts';

/** The phase of the connection to the broker (as panel-assistant). */
export type MqttPhase =
  | 'off'
  /** No broker is set, and the search is switched off. */
  | 'not_configured'
  | 'discovering'
  | 'ambiguous'
  /** A broker was found, but the password may not be meant for it: a person has to confirm it. */
  | 'unconfirmed'
  | 'connecting'
  | 'connected'
  | 'auth_failed'
  | 'unreachable'
  | 'config_error';

/** A broker in the form that a person sees; a found one counts as the same only if all fields match. */
export interface FoundBroker {
  /** Advertised host name of Home Assistant, lower-case; for a configured broker its host. */
  readonly name: string;
  /** The found address, which is not resolved again; for a configured broker its host. */
  readonly address: string;
  /** TCP port. */
  readonly port: number;
}

/** The recipient of the current password, as the link uses it. */
export type Binding =
  /** For this broker alone. */
  | { readonly kind: 'bound'; readonly recipient: Recipient }
  /** Saved less than a minute ago: the only broker that is found is tried. */
  | { readonly kind: 'open' }
  /** This broker is being tried, and no other. */
  | { readonly kind: 'tried'; readonly recipient: Recipient }
  /** For no broker until a person confirms one. */
  | { readonly kind: 'unconfirmed' };

/**
 * `send`: the broker gets the password. `ask`: it is first tried without it. `wait`: no connection until a person
 * confirms it.
 */
export type Release = 'send' | 'ask' | 'wait';

/** What the link needs to connect; the driver fetches the password, which is never in here. */
export interface DesiredBroker {
  /** The configured URL, or one made from a found host; null without either. */
  readonly url: string | null;
  readonly user: string;
  readonly passwordSet: boolean;
  /** Lets the driver recognise the password that this was decided for; null if none is known. */
  readonly passwordMark: string | null;
  readonly source: 'configured' | 'found' | 'none' | 'ambiguous';
  /** The found broker behind the URL; null if it was not found. */
  readonly found: FoundBroker | null;
  /** True if the panel searches the network for Home Assistant, and so its broker, while none is configured. */
  readonly searching: boolean;
  readonly addressFamily: 'Automatic' | 'Prefer IPv4' | 'Force IPv4';
  readonly panelId: string;
  readonly installId: string;
  /** Revision of the settings that this is derived from. */
  readonly revision: number;
  /** Changes with every input except what was found on the network. */
  readonly wish: string;
  /** Changes whenever a reconnect is due (URL, user, password, panel id). */
  readonly key: string;
}

/** A message for the broker. */
export interface OutgoingMessage {
  readonly topic: string;
  readonly payload: string;
  readonly retain: boolean;
  readonly qos: 0 | 1;
}

/** A message from the broker. */
export interface IncomingMessage {
  readonly topic: string;
  readonly payload: string;
  /** True if the broker replayed it from its store, or passed the flag on as it was published. */
  readonly retained: boolean;
}

/** Topics to subscribe to. */
export interface Subscription {
  readonly topics: readonly string[];
  /**
   * Topics whose live messages keep their retain flag: MQTT 5 can pass the flag on as published, 3.1.1 sets it on
   * replayed messages only.
   */
  readonly asPublished?: readonly string[];
}

/**
 * The messages of the current connection, for publishers. They bypass the machine of the link: it decides which
 * connection there is, and no decision depends on a message.
 */
export interface BrokerMessages {
  /** Dropped while there is no connection. */
  readonly publish: (messages: readonly OutgoingMessage[]) => void;
  /** Dropped while there is no connection; every new connection needs it again. */
  readonly subscribeTo: (subscription: Subscription) => void;
  /** Calls `handler` with each message of each connection, in order; returns a function that stops it. */
  readonly listen: (handler: (message: IncomingMessage) => void) => () => void;
}

/** The parameters of one connection attempt. */
export interface ConnectionInput {
  /** Number of the attempt; every fact has it, so that a late one is recognised. */
  readonly generation: number;
  readonly protocol: 4 | 5;
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly user: string;
  readonly passwordSet: boolean;
  /** Mark of the one password that the attempt may send; null for none. */
  readonly passwordMark: string | null;
  /** Id of this installation, the key for password marks. */
  readonly installId: string;
  readonly addressFamily: DesiredBroker['addressFamily'];
  readonly clientId: string;
  /** What the broker publishes when the connection is lost. */
  readonly will: OutgoingMessage;
}

/** Facts of one connection attempt; `generation` as in its input. */
export type BrokerFact =
  | { readonly type: 'broker.connected'; readonly generation: number; readonly protocol: 4 | 5; readonly at: EpochMs }
  /** The broker refused the connection. */
  | {
      readonly type: 'broker.refused';
      readonly generation: number;
      readonly reason: 'credentials' | 'protocol' | 'other';
      readonly code: string;
      readonly at: EpochMs;
    }
  /** The connection failed or was lost. */
  | { readonly type: 'broker.lost'; readonly generation: number; readonly code: string; readonly at: EpochMs }
  /** The requested graceful end is done. */
  | { readonly type: 'broker.ended'; readonly generation: number };

/** Commands for the driver of one connection. */
export type BrokerCommand =
  | { readonly type: 'mqtt.publish'; readonly messages: readonly OutgoingMessage[] }
  /** Publish these as the last messages, then disconnect in order. */
  | { readonly type: 'mqtt.leave'; readonly messages: readonly OutgoingMessage[] };

/** Evidence that a confirmation comes from the owner. */
export interface ConfirmProof {
  readonly from: RequestedFrom;
  /** The stored password again; null if not sent, which is enough only from the panel itself. */
  readonly password: string | null;
}

/** The result of confirming the broker. */
export type ConfirmOutcome =
  | { readonly status: 'confirmed' }
  /** A different broker waits than the one that was named. */
  | { readonly status: 'changed' }
  /** No broker waits; `several` if that is because more than one was found. */
  | { readonly status: 'nothing'; readonly several: boolean }
  /** The password is missing or wrong; `late` after too many attempts. */
  | { readonly status: 'unproven'; readonly why: 'missing' | 'wrong' | 'late' }
  /** Writing to disk failed; nothing changed. */
  | { readonly status: 'commit-failed'; readonly reason: string }
  /** A job holds the settings; nothing changed. */
  | { readonly status: 'busy' };

/** Commands for the store of the password; `revision` says which password. */
export type PasswordCommand =
  | { readonly type: 'binding.keep'; readonly revision: number; readonly recipient: Recipient }
  /** The same if the proof holds; answered by `binding.settled` once stored. */
  | ({
      readonly type: 'binding.settle';
      readonly requestId: string;
      readonly revision: number;
      readonly recipient: Recipient;
    } & ConfirmProof);

/** Facts from the store of the password; never the password. */
export type PasswordFact =
  /** A new password is in force, or the same with another recipient. */
  | {
      readonly type: 'password.noted';
      /** Incremented with each; 0 for the first. */
      readonly revision: number;
      /** Null if it has no recipient yet. */
      readonly recipient: Recipient | null;
      /** How long the only broker that is found may still get it, in milliseconds. */
      readonly openMs: Milliseconds;
    }
  | {
      readonly type: 'binding.settled';
      readonly requestId: string;
      readonly revision: number;
      readonly recipient: Recipient;
      readonly from: RequestedFrom;
      readonly outcome: ConfirmOutcome;
      readonly at: EpochMs;
    };

/** Facts from the follower of the settings. */
export type DesiredFact =
  | PasswordFact
  | { readonly type: 'broker.desired'; readonly broker: DesiredBroker }
  /** The entities go over another surface: no broker is connected. `revision` is that of the settings. */
  | { readonly type: 'broker.unneeded'; readonly revision: number }
  /**
   * A publisher appeared or disappeared. Without one the link publishes that the panel is offline; after a withdrawal
   * it publishes nothing.
   */
  | { readonly type: 'publisher.changed'; readonly present: boolean; readonly withdrawn: boolean };

export type MqttEvent =
  | DesiredFact
  /** A person says that this broker is the right one; one `reply` with a `ConfirmOutcome`. */
  | ({ readonly type: 'mqtt.confirm'; readonly requestId: string; readonly broker: FoundBroker } & ConfirmProof)
  /** No broker accepted an open password in time. */
  | { readonly type: 'binding.expired' }
  /** Which broker waits to be confirmed; one `reply` with it, or with null. */
  | { readonly type: 'mqtt.read-waiting'; readonly requestId: string }
  | { readonly type: 'mqtt.stop' }
  | BrokerFact;

/**
 * Public facts of the link; never an address, a user name or a topic. The phase is derived from them and the state
 * (`phase.ts`).
 */
export interface MqttContext {
  /** MQTT protocol level in use: 5, or 4 for 3.1.1; null while not connected. */
  readonly protocol: 4 | 5 | null;
  /**
   * Stable code of the last failure, such as `ECONNREFUSED` or `credentials`; null once a connection has held for 30 s.
   */
  readonly failure: string | null;
  /** Failed and lost connections in a row; 0 once one has held for 30 s. */
  readonly attempt: number;
  /** Connections in a row that the broker accepted and ended within 30 s, after one that was lost. */
  readonly drops: number;
  /** When the first of these failures was; null without one. */
  readonly failingSince: EpochMs | null;
  /** True from refused credentials until they are accepted or replaced. */
  readonly refusedCredentials: boolean;
  /** True if the broker gets no user name. */
  readonly isAnonymous: boolean;
  /** True while the only failure is the loss of a stable connection, which is being re-established. */
  readonly onlyLost: boolean;
  readonly connectedAt: EpochMs | null;
  /** Connections since the agent started; a new number means that everything must be published again. */
  readonly session: number;
  readonly source: DesiredBroker['source'];
  /** What the broker gets; also `send` without a broker or a password. */
  readonly release: Release;
  /** The last refused confirmation; null if there was none in this run. */
  readonly refusedConfirmation: { readonly at: EpochMs; readonly from: RequestedFrom } | null;
  /** Panel id of the current connection's will; null while not connected. */
  readonly panelId: string | null;
  /** Revision of the settings that these facts reflect; 0 before the first. */
  readonly settingsRevision: number;
  /** True while the entities go over another surface, and no broker is wanted. */
  readonly isUnneeded: boolean;
}

export interface MqttActor {
  readonly id: 'mqtt';
  readonly context: MqttContext;
  readonly event: Extract<MqttEvent, { readonly type: 'mqtt.confirm' | 'mqtt.read-waiting' | 'mqtt.stop' }>;
  readonly asks: {
    readonly 'mqtt.confirm': ConfirmOutcome;
    readonly 'mqtt.read-waiting': FoundBroker | null;
  };
}
