import type { Recipient } from '../kit/recipient.ts';
import type { RequestedFrom } from '../kit/requested-from.ts';
import type { EpochMs, Milliseconds } from '../kit/units.ts';

/** Where the link to the broker stands (as panel-assistant). */
export type MqttPhase =
  | 'off'
  /** No broker is set, and none is looked for. */
  | 'not_configured'
  | 'discovering'
  | 'ambiguous'
  /** A broker was found, and the password is not known to be meant for it: a person has to confirm it. */
  | 'unconfirmed'
  | 'connecting'
  | 'connected'
  | 'auth_failed'
  | 'unreachable'
  | 'config_error';

/** A broker as a person is shown it; of a found one all has to be the same for it to count as the same one. */
export interface FoundBroker {
  /** Host name that Home Assistant is advertised on, lower-case; of a configured broker its host. */
  readonly name: string;
  /** Address that is connected to, as it was found: it is not resolved again; of a configured broker its host. */
  readonly address: string;
  /** TCP port. */
  readonly port: number;
}

/** Whom the password in force is for, as the link works with it. */
export type Binding =
  /** For this broker alone. */
  | { readonly kind: 'bound'; readonly recipient: Recipient }
  /** It was saved less than a minute ago: the only broker that is found is tried. */
  | { readonly kind: 'open' }
  /** That one is being tried, and no other. */
  | { readonly kind: 'tried'; readonly recipient: Recipient }
  /** For none until a person confirms one. */
  | { readonly kind: 'unconfirmed' };

/** What a broker gets: the password; at first a connection without it; nothing until a person confirms it. */
export type Release = 'send' | 'ask' | 'wait';

/** What the link needs to connect; the password is fetched by the driver and never travels here. */
export interface DesiredBroker {
  /** The configured broker URL, or one made from a found host; null while there is none. */
  readonly url: string | null;
  readonly user: string;
  readonly passwordSet: boolean;
  /** By which the driver recognises the password that all this was decided for; null where none is known. */
  readonly passwordMark: string | null;
  readonly source: 'configured' | 'found' | 'none' | 'ambiguous';
  /** The broker behind the URL where it was found; else null. */
  readonly found: FoundBroker | null;
  /** True if Home Assistant, and so its broker, is looked for on the network where none is configured. */
  readonly searching: boolean;
  readonly addressFamily: 'Automatic' | 'Prefer IPv4' | 'Force IPv4';
  readonly panelId: string;
  readonly installId: string;
  /** Revision of the settings that this follows from. */
  readonly revision: number;
  /** Changes with everything but what was found on the network. */
  readonly wish: string;
  /** Changes whenever a reconnect with new facts is due (URL, user, password, panel id). */
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
  /** True when the broker replayed it from its store, or was asked for the flag as it was published. */
  readonly retained: boolean;
}

/** Topics to listen to. */
export interface Subscription {
  readonly topics: readonly string[];
  /**
   * More topics, whose messages count as retained also when they come at once: MQTT 5 passes the flag on as it was
   * published, 3.1.1 shows it on replayed messages only.
   */
  readonly asPublished?: readonly string[];
}

/**
 * The messages of the connection in force, for those who publish. They pass the machine of the link by: it decides
 * which connection there is, and none of its decisions is about a message.
 */
export interface BrokerMessages {
  /** Dropped while there is no connection. */
  readonly publish: (messages: readonly OutgoingMessage[]) => void;
  /** Dropped while there is no connection; each new one has to be told anew. */
  readonly subscribeTo: (subscription: Subscription) => void;
  /** Calls `handler` with each message of each connection, in order; returns how to stop that. */
  readonly listen: (handler: (message: IncomingMessage) => void) => () => void;
}

/** Where and how one connection attempt is made. */
export interface ConnectionInput {
  /** Number of the attempt; every fact carries it, so that a late one is recognised. */
  readonly generation: number;
  readonly protocol: 4 | 5;
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly user: string;
  readonly passwordSet: boolean;
  /** Mark of the one password that the attempt may send; null for none. */
  readonly passwordMark: string | null;
  /** Of this machine: what marks are keyed with. */
  readonly installId: string;
  readonly addressFamily: DesiredBroker['addressFamily'];
  readonly clientId: string;
  /** What the broker says for this machine when the connection is lost. */
  readonly will: OutgoingMessage;
}

/** Facts of one connection attempt; `generation` is the one of its input. */
export type BrokerFact =
  | { readonly type: 'broker.connected'; readonly generation: number; readonly protocol: 4 | 5; readonly at: EpochMs }
  /** The broker answered and said no. */
  | {
      readonly type: 'broker.refused';
      readonly generation: number;
      readonly reason: 'credentials' | 'protocol' | 'other';
      readonly code: string;
      readonly at: EpochMs;
    }
  /** No connection, or no longer one. */
  | { readonly type: 'broker.lost'; readonly generation: number; readonly code: string; readonly at: EpochMs }
  /** The graceful end that was asked for is done. */
  | { readonly type: 'broker.ended'; readonly generation: number };

/** What the driver of one connection is told. */
export type BrokerCommand =
  | { readonly type: 'mqtt.publish'; readonly messages: readonly OutgoingMessage[] }
  /** Publish these as the last messages, then disconnect in order. */
  | { readonly type: 'mqtt.leave'; readonly messages: readonly OutgoingMessage[] };

/** By what a confirmation is known to come from the owner. */
export interface ConfirmProof {
  readonly from: RequestedFrom;
  /** The stored password again; null where it was not sent, which is enough only from the panel itself. */
  readonly password: string | null;
}

/** The result of confirming the broker. */
export type ConfirmOutcome =
  | { readonly status: 'confirmed' }
  /** Another one waits than the one that was named. */
  | { readonly status: 'changed' }
  /** No broker waits; `several` where that is because more than one was found. */
  | { readonly status: 'nothing'; readonly several: boolean }
  /** The password is missing or wrong; `late` where too many tries came before. */
  | { readonly status: 'unproven'; readonly why: 'missing' | 'wrong' | 'late' }
  /** The disk refused; everything is as it was. */
  | { readonly status: 'commit-failed'; readonly reason: string };

/** What the store of the password is told; `revision` says of which password. */
export type PasswordCommand =
  | { readonly type: 'binding.keep'; readonly revision: number; readonly recipient: Recipient }
  /** The same once the proof holds, answered by `binding.settled` when it is durable. */
  | ({
      readonly type: 'binding.settle';
      readonly requestId: string;
      readonly revision: number;
      readonly recipient: Recipient;
    } & ConfirmProof);

/** What the store of the password reports; never the password. */
export type PasswordFact =
  /** A password is in force, or one with another recipient, that was not looked at before. */
  | {
      readonly type: 'password.noted';
      /** Raised with each of them; 0 for the first. */
      readonly revision: number;
      /** Null where it is for nobody yet. */
      readonly recipient: Recipient | null;
      /** How long the only broker that is found may still take it, in milliseconds. */
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

/** What the follower of the settings reports. */
export type DesiredFact =
  | PasswordFact
  | { readonly type: 'broker.desired'; readonly broker: DesiredBroker }
  /**
   * Whether a publisher publishes for the panel; without one the link says that the panel is away, and for one that was
   * withdrawn it says nothing at all.
   */
  | { readonly type: 'publisher.changed'; readonly present: boolean; readonly withdrawn: boolean };

export type MqttEvent =
  | DesiredFact
  /** A person says that this broker is the right one; one `reply` with a `ConfirmOutcome`. */
  | ({ readonly type: 'mqtt.confirm'; readonly requestId: string; readonly broker: FoundBroker } & ConfirmProof)
  /** Nobody accepted an open password in time. */
  | { readonly type: 'binding.expired' }
  /** Which broker waits to be confirmed; one `reply` with it, or with null. */
  | { readonly type: 'mqtt.read-waiting'; readonly requestId: string }
  | { readonly type: 'mqtt.stop' }
  | BrokerFact;

/**
 * Public facts of the link; never an address, a user name or a topic. Its phase is derived from its state and these
 * (`phase.ts`).
 */
export interface MqttContext {
  /** MQTT protocol in use: 5, or 4 for 3.1.1; null while not connected. */
  readonly protocol: 4 | 5 | null;
  /**
   * Stable code of the last failure, such as `ECONNREFUSED` or `credentials`; null once a connection has held for 30 s.
   */
  readonly failure: string | null;
  /** Failed and lost connections in a row; 0 once one has held for 30 s. */
  readonly attempt: number;
  /** Connections in a row that the broker took and ended within 30 s, after one that was lost. */
  readonly drops: number;
  /** When the first of them failed or was lost; null while there is none. */
  readonly failingSince: EpochMs | null;
  /** True from refused credentials until they are accepted or replaced. */
  readonly refusedCredentials: boolean;
  /** True while nothing went wrong but the loss of a connection that had held: it is about to be made again. */
  readonly onlyLost: boolean;
  readonly connectedAt: EpochMs | null;
  /** How often a connection was made since the agent started; a new number means: publish everything again. */
  readonly session: number;
  readonly source: DesiredBroker['source'];
  /** What the broker gets; `send` also where there is no broker or no password. */
  readonly release: Release;
  /** The last confirmation that was refused; null where none was in this run. */
  readonly refusedConfirmation: { readonly at: EpochMs; readonly from: RequestedFrom } | null;
  /** Panel id whose will the present connection carries; null while not connected. */
  readonly panelId: string | null;
  /** Revision of the settings that all this is about; 0 before the first. */
  readonly settingsRevision: number;
}

/** What the actor of the link to the broker shows to the rest of the house. */
export interface MqttActor {
  readonly id: 'mqtt';
  readonly context: MqttContext;
  readonly event: Extract<MqttEvent, { readonly type: 'mqtt.confirm' | 'mqtt.read-waiting' | 'mqtt.stop' }>;
  readonly asks: {
    readonly 'mqtt.confirm': ConfirmOutcome;
    readonly 'mqtt.read-waiting': FoundBroker | null;
  };
}
