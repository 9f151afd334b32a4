import type { EpochMs } from '../kit/units.ts';
import type { ClientMessage, PanelMessage } from './messages.ts';

/** The way in which the panel's entities reach Home Assistant (`entity_surface`). */
export type Surface = 'mqtt' | 'native';

/** A Home Assistant that was paired, as pages and routes show it; never its key. */
export interface PairedClient {
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
  | { readonly type: 'sessions.end'; readonly reason: 'moved' | 'reset' | 'stopping' }
  /** The end of a pairing; with `paired` the key was stored before. */
  | {
      readonly type: 'pairing.end';
      readonly pairing: number;
      readonly outcome: 'paired' | 'denied' | 'expired' | 'no-place' | 'pairing-busy' | 'pairing-too-often' | 'busy';
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
