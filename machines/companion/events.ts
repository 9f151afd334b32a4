import type { EventObject } from 'xstate';

import type { ReplyEvent } from '../kit/outcome.ts';
import type { DriverLogic } from '../kit/placeholder.ts';
import type { EpochMs } from '../kit/units.ts';
import type { EntityMark } from '../publisher/events.ts';
import type { ClientMessage, PanelMessage } from './messages.ts';
import type { CompanionMemory, MoveList, MoveOutcome, MoveRequest, MoveStep, Surface } from './move.ts';

// For the driver, which sees only the types of this file.
export type {
  ClientHello,
  ClientMessage,
  PairingAnswer,
  PairingStep,
  PanelHello,
  PanelMessage,
  PanelRefused,
} from './messages.ts';
export type { MoveOutcome, Surface } from './move.ts';

/** A Home Assistant that was paired, as pages and routes show it; never its key. */
interface PairedClient {
  /** 16 lower-case hex digits. */
  readonly keyId: string;
  /** The id that this Home Assistant gave itself, 32 lower-case hex digits. */
  readonly clientId: string;
  readonly name: string;
  readonly pairedAt: EpochMs;
  /** When its last session ended, or now while it has one; null before the first. */
  readonly usedAt: EpochMs | null;
}

/** A key, as the store keeps it in the section `companion`. */
export interface PairedKey extends PairedClient {
  /** 64 lower-case hex digits. */
  readonly key: string;
}

/** How a connected Home Assistant describes itself. */
export interface ClientDescription {
  readonly clientId: string;
  readonly name: string;
  /** Its own version, and that of the integration. */
  readonly version: string;
  readonly integration: string;
}

/** Why a session is over. `bye` was announced by Home Assistant; `lost` was not, nor was it the panel's doing. */
export type SessionEnd =
  | { readonly kind: 'bye'; readonly reason: 'reload' | 'disabled' | 'removed' }
  | { readonly kind: 'lost' }
  | { readonly kind: 'ended'; readonly reason: 'moved' | 'revoked' | 'reset' | 'stopping' | 'replaced' | 'malformed' };

/** Facts of the driver that holds the connections. High-rate messages pass by the machine (`CompanionExchange`). */
export type SessionFact =
  /** A paired Home Assistant has proved itself, and its first message was opened. */
  | {
      readonly type: 'session.opened';
      readonly session: number;
      readonly keyId: string;
      readonly client: ClientDescription;
      readonly at: EpochMs;
    }
  /** What it says of its own life, the first time together with `session.opened`. */
  | {
      readonly type: 'session.phase';
      readonly session: number;
      readonly phase: 'starting' | 'running' | 'stopping';
      readonly reason: 'restart' | 'stop' | null;
    }
  | { readonly type: 'session.rekeyed'; readonly session: number; readonly keyId: string }
  /** Home Assistant did a step of a move, or could not. */
  | {
      readonly type: 'session.moved';
      readonly session: number;
      readonly to: Surface;
      readonly step: 'prepared' | 'released' | 'applied' | 'failed';
      readonly list: MoveList;
    }
  /** A person there wants to move. */
  | { readonly type: 'session.move-wanted'; readonly session: number; readonly to: Surface }
  | { readonly type: 'session.closed'; readonly session: number; readonly end: SessionEnd; readonly at: EpochMs }
  /** A connection proved no key that is kept; counted, never named. */
  | { readonly type: 'session.refused'; readonly code: string }
  /** A Home Assistant wants to be paired: the digits are ready to be asked for at the panel. */
  | {
      readonly type: 'pairing.wanted';
      readonly pairing: number;
      readonly client: ClientDescription;
      /** IP address of the peer. */
      readonly peer: string;
      /** Six digits. */
      readonly digits: string;
      readonly key: { readonly keyId: string; readonly key: string };
    }
  /** It says that a person typed the right digits. */
  | { readonly type: 'pairing.confirmed'; readonly pairing: number }
  /** It went away before the end. */
  | { readonly type: 'pairing.left'; readonly pairing: number };

/** Commands to that driver. */
export type SessionCommand =
  /** The keys that count from now on; sessions of others end with `revoked`. */
  | { readonly type: 'sessions.keys'; readonly keys: readonly PairedKey[] }
  /** How this panel greets; without it nothing is answered but `busy`. */
  | {
      readonly type: 'sessions.panel';
      readonly panel: { readonly id: string; readonly name: string; readonly model: string };
    }
  | { readonly type: 'sessions.rekey'; readonly session: number; readonly keyId: string; readonly key: string }
  | {
      readonly type: 'sessions.move';
      readonly session: number;
      readonly to: Surface;
      readonly step: 'prepare' | 'release' | 'apply' | 'abandon';
    }
  | { readonly type: 'sessions.end'; readonly reason: 'moved' | 'reset' | 'stopping' }
  /** The end of a pairing; with `paired` the key was stored before. */
  | {
      readonly type: 'pairing.end';
      readonly pairing: number;
      readonly outcome:
        | 'paired'
        | 'denied'
        | 'expired'
        | 'no-place'
        | 'pairing-busy'
        | 'pairing-too-often'
        | 'too-many'
        | 'busy';
    };

/** One message of a session for the rows, or to it. */
export interface SessionMessage {
  readonly session: number;
  readonly message: Extract<ClientMessage, { readonly type: 'set' }>;
}

/**
 * Joins the sessions with what serves the rows, without an event for each message. Made once in `bin/parts`; both
 * drivers attach to it and leave.
 */
export interface CompanionExchange {
  /** Sends to one session; false if it is over. States of one row replace each other while they wait. */
  readonly send: (session: number, message: PanelMessage) => boolean;
  /** Calls back for each `set`, and for each session that opens or closes; returns a function that stops it. */
  readonly serve: (rows: {
    readonly opened: (session: number) => void;
    readonly closed: (session: number) => void;
    readonly received: (message: SessionMessage) => void;
  }) => () => void;
  /** The sessions' side. */
  readonly attach: (send: (session: number, message: PanelMessage) => boolean) => {
    readonly opened: (session: number) => void;
    readonly closed: (session: number) => void;
    readonly received: (message: SessionMessage) => void;
    readonly detach: () => void;
  };
}

/** The connections: the driver loads its code at the first one. */
export type SessionsDriver = DriverLogic<SessionCommand, undefined, SessionFact>;

/** A paired Home Assistant with what the machine must know of its keys; the keys themselves stay in their driver. */
export interface KnownClient extends PairedClient {
  /** Id of the key that replaces this one once Home Assistant has it; null while none does. */
  readonly nextKeyId: string | null;
}

/** Commands to the driver that keeps the keys; it alone knows them, and binds them to this machine. */
export type KeysCommand =
  /** A pairing began: its key is kept in memory, until it is stored or dropped. */
  | {
      readonly type: 'keys.hold';
      readonly pairing: number;
      readonly client: ClientDescription;
      readonly key: { readonly keyId: string; readonly key: string };
    }
  /** Make it durable; answered by `keys.kept` or `keys.unkept`. */
  | { readonly type: 'keys.keep'; readonly pairing: number }
  | { readonly type: 'keys.drop'; readonly pairing: number }
  /** A session began or ended then. */
  | { readonly type: 'keys.used'; readonly keyId: string; readonly at: EpochMs }
  /** Prepare another key for each of these that is in use for too long; each is reported by `key.prepared`. */
  | { readonly type: 'keys.review'; readonly keyIds: readonly string[] }
  /** Home Assistant has this new key: it counts alone. */
  | { readonly type: 'keys.promote'; readonly keyId: string }
  | { readonly type: 'keys.revoke'; readonly requestId: string | null; readonly keyId: string }
  | { readonly type: 'keys.follow'; readonly requestId: string; readonly clientId: string | null }
  | { readonly type: 'keys.forget'; readonly requestId: string }
  /** Store this beside the keys; answered by `memory.kept` if that is awaited. */
  | { readonly type: 'memory.keep'; readonly memory: CompanionMemory; readonly isAwaited: boolean };

/** Facts of that driver. */
export type KeysFact =
  /** At the start, and after each change. `keys` are those that open a session, the prepared ones among them. */
  | {
      readonly type: 'keys.known';
      readonly clients: readonly KnownClient[];
      readonly keys: readonly PairedKey[];
      /** The one whose lifecycle the owner chose; null for the one that was paired first. */
      readonly chosen: string | null;
    }
  /** Once, before the first `keys.known`. */
  | { readonly type: 'memory.known'; readonly memory: CompanionMemory }
  /** `failure` is the code of the disk's refusal; null on success. */
  | { readonly type: 'memory.kept'; readonly failure: string | null }
  | { readonly type: 'keys.kept'; readonly pairing: number; readonly keyId: string; readonly at: EpochMs }
  /** The disk refused it. */
  | { readonly type: 'keys.unkept'; readonly pairing: number; readonly code: string }
  | {
      readonly type: 'key.prepared';
      /** The one in use. */
      readonly keyId: string;
      readonly next: { readonly keyId: string; readonly key: string };
    }
  | {
      readonly type: 'keys.answered';
      readonly requestId: string | null;
      readonly outcome: KeysOutcome;
      readonly removed: number;
    };
export type KeysDriver = DriverLogic<KeysCommand, undefined, KeysFact>;

/** What became of a change of the keys that was asked for. */
export type KeysOutcome =
  | { readonly status: 'done' }
  /** No such Home Assistant is paired. */
  | { readonly status: 'unknown' }
  /** The disk refused it, or they are not known yet. */
  | { readonly status: 'failed'; readonly code: string };

/** Asks a person at the panel about the digits, and takes the question back when it is stopped before the answer. */
export type PairingQuestion = DriverLogic<
  EventObject,
  { readonly digits: string; readonly name: string },
  PairingAnswered
>;
export interface PairingAnswered {
  readonly type: 'question.answered';
  readonly answer: 'approved' | 'denied' | 'expired' | 'no-place';
}

/** Follows the settings and the identity. */
export type FollowedFact =
  /** What the settings say; `hasBroker` is true if they name a broker. */
  | { readonly type: 'surface.changed'; readonly surface: Surface; readonly hasBroker: boolean }
  | {
      readonly type: 'panel.named';
      readonly panel: { readonly id: string; readonly name: string; readonly model: string };
    };
export type CompanionFollower = DriverLogic<EventObject, undefined, FollowedFact>;

/** Serves the rows to the sessions; it runs while there is one. */
export interface BridgeCommand {
  readonly type: 'bridge.surface';
  readonly surface: Surface;
  /** Keys of rows that were offered before: they stay, unavailable, if their hardware is missing. */
  readonly offered: readonly string[];
}
export type BridgeFact =
  /** A command was carried out, or refused with that code; its sender was told. */
  | { readonly type: 'command.ended'; readonly code: string | null }
  /** The rows of which Home Assistant was told. */
  | { readonly type: 'catalogue.sent'; readonly announced: readonly EntityMark[] };

/** A connected Home Assistant. */
export interface OpenSession {
  readonly session: number;
  readonly keyId: string;
  readonly client: ClientDescription;
  readonly openedAt: EpochMs;
  /** What it says of its own life; null until it said so. */
  readonly phase: 'starting' | 'running' | 'stopping' | null;
}

/**
 * The life of the Home Assistant that is followed, as its sessions tell: `held` for a while after a reload was
 * announced, `lost` without a notice; null while it is unknown.
 */
export type HomeLife = 'starting' | 'running' | 'stopping' | 'held' | 'lost' | null;

/** Codes of what happened, for the history. */
export const happenedCodes = [
  'paired',
  'denied',
  'revoked',
  'connected',
  'lost',
  'moved-native',
  'moved-mqtt',
] as const;
export interface CompanionHappened {
  /** Counts up from 1. */
  readonly sequence: number;
  readonly code: (typeof happenedCodes)[number];
  /** Null if its fact has no time. */
  readonly at: EpochMs | null;
}

/** Public facts: never a key or an address. Names and ids of a Home Assistant are for its own page alone. */
export interface CompanionContext {
  /** The one in force; null until the settings and the stored section are known. */
  readonly surface: Surface | null;
  /** The one that the settings name; while a move is under way it may differ. Null until they are known. */
  readonly wanted: Surface | null;
  /** The move under way; null without one. */
  readonly moving: { readonly to: Surface; readonly step: MoveStep } | null;
  /** Discovery topics that the last move left at the broker. */
  readonly stays: readonly string[];
  /** Those that are paired, the first one first; null until they were read. */
  readonly clients: readonly PairedClient[] | null;
  readonly sessions: readonly OpenSession[];
  /** The pairing under way; `isConfirmed` once the digits were typed correctly. */
  readonly pairing: { readonly pairing: number; readonly name: string; readonly isConfirmed: boolean } | null;
  /** The id of the Home Assistant whose lifecycle counts; null while none is paired. */
  readonly followed: string | null;
  readonly life: HomeLife;
  /** Entities in the catalogue that was sent last; none while there is no session. */
  readonly announced: readonly EntityMark[];
  /** Since the start: connections without a key that counts, and commands that were refused. */
  readonly refused: { readonly connections: number; readonly commands: number };
  /** Code of the disk's last refusal to store a key; null if there was none since. */
  readonly failure: string | null;
  /** The newest 20 things that happened, oldest first. */
  readonly happened: readonly CompanionHappened[];
}

/** Events for the native connection (registry id `companion`). */
export type CompanionEvent =
  /** The key does not count any more; its session ends. Answered with a `KeysOutcome`. */
  | { readonly type: 'companion.revoke'; readonly requestId: string; readonly keyId: string }
  /** Follow the lifecycle of this one, null for the one that was paired first. Answered with a `KeysOutcome`. */
  | { readonly type: 'companion.follow'; readonly requestId: string; readonly clientId: string | null }
  /** Every key is forgotten, and the sessions end as of a reset. Answered with a `KeysOutcome`. */
  | { readonly type: 'companion.forget'; readonly requestId: string }
  /** Move the entities to the other surface, or say what would happen. Answered with a `MoveOutcome`. */
  | MoveRequest
  /** Finish: the sessions end in order. */
  | { readonly type: 'companion.stop' };

export type CompanionMachineEvent =
  | CompanionEvent
  | SessionFact
  | KeysFact
  | FollowedFact
  | BridgeFact
  | PairingAnswered;
export type CompanionReply = ReplyEvent<KeysOutcome | MoveOutcome>;

/** Public interface of the native connection's actor. */
export interface CompanionActor {
  readonly id: 'companion';
  readonly context: CompanionContext;
  readonly event: CompanionEvent;
  readonly asks: {
    readonly 'companion.revoke': KeysOutcome;
    readonly 'companion.follow': KeysOutcome;
    readonly 'companion.forget': KeysOutcome;
    readonly 'companion.move': MoveOutcome;
  };
}
