import type { Milliseconds } from '#machines/kit/units.ts';

/** What a connection and a peer may cost. */
export interface ListenerBounds {
  /** Largest request head in bytes. */
  readonly headBytes: number;
  /** How long a request head may take to arrive. */
  readonly headMs: Milliseconds;
  /** How long a whole request may take to arrive, unless its body goes to a file; responses may last longer. */
  readonly requestMs: Milliseconds;
  /** How long an idle connection is kept. */
  readonly keepAliveMs: Milliseconds;
  /** Pause between two checks for overdue requests and stalled responses. */
  readonly checkMs: Milliseconds;
  /** How long bytes of a response may wait for a reader that takes none. */
  readonly stallMs: Milliseconds;
  /** Most open connections of all peers except the machine itself, and of one peer. */
  readonly connections: number;
  readonly connectionsPerPeer: number;
  /** Most open connections of all IPv6 addresses of one network; one more ends another of them. */
  readonly connectionsPerNetwork: number;
  /** Most connections of the machine itself; no other peer can take them. */
  readonly loopbackConnections: number;
  /** Most unanswered requests on a connection; one more ends the connection. */
  readonly pipelined: number;
  /** Most responses being made at a time for one peer, and for the machine itself. */
  readonly making: number;
  readonly loopbackMaking: number;
  /** Most responses being made at a time for all IPv6 addresses of one network. */
  readonly networkMaking: number;
  /** Most waiting requests of one peer; one more is refused with 503. */
  readonly waiting: number;
  /**
   * Most bytes of request bodies held until their requests are answered: of all peers except the machine itself, of one
   * peer, and of all IPv6 addresses of one network. The first `SMALL_BODY_BYTES` of each body do not count.
   */
  readonly bodyBytes: number;
  readonly bodyBytesPerPeer: number;
  readonly bodyBytesPerNetwork: number;
  /** How long a body may make no progress. */
  readonly bodyMs: Milliseconds;
  /** How long a body that goes to a file may take to arrive in all, and how long it may make no progress. */
  readonly uploadMs: Milliseconds;
  readonly uploadSilenceMs: Milliseconds;
  /** Free space in bytes that such a file must leave on its disk. */
  readonly reserveBytes: number;
  /** Most files that are sent at a time; one more ends the oldest. */
  readonly downloads: number;
  /** How long responses are made before the event loop turns, for requests of other peers and for devices. */
  readonly turnMs: Milliseconds;
  /** How long requests under way may continue once the listener stops. */
  readonly drainMs: Milliseconds;
}

/** The bounds of a running panel: generous for a household, small enough for a machine with 512 MiB of memory. */
export const listenerBounds: ListenerBounds = {
  headBytes: 16 * 1024,
  headMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 5000,
  checkMs: 1000,
  stallMs: 20_000,
  connections: 256,
  connectionsPerPeer: 64,
  connectionsPerNetwork: 128,
  loopbackConnections: 64,
  pipelined: 32,
  making: 8,
  loopbackMaking: 16,
  networkMaking: 32,
  waiting: 64,
  // 16 MB in all, with the small part of a body on each of 256 connections.
  bodyBytes: 12_000_000,
  bodyBytesPerPeer: 6_000_000,
  bodyBytesPerNetwork: 8_000_000,
  bodyMs: 10_000,
  uploadMs: 600_000,
  uploadSilenceMs: 20_000,
  // As panel-assistant.
  reserveBytes: 64 * 1024 * 1024,
  downloads: 4,
  turnMs: 2,
  drainMs: 500,
};
