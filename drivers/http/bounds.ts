import type { Milliseconds } from '#machines/kit/units.ts';

/** What a connection and a peer may cost. */
export interface ListenerBounds {
  /** Largest request head in bytes. */
  readonly headBytes: number;
  /** How long a request head may take to arrive. */
  readonly headMs: Milliseconds;
  /** How long a whole request may take to arrive; responses may last longer. */
  readonly requestMs: Milliseconds;
  /** How long an idle connection is kept. */
  readonly keepAliveMs: Milliseconds;
  /** How often overdue requests and stalled responses are looked for. */
  readonly checkMs: Milliseconds;
  /** How long bytes of a response may wait for a reader who takes none of them. */
  readonly stallMs: Milliseconds;
  /** Open connections of all peers but the machine itself, and of one peer. */
  readonly connections: number;
  readonly connectionsPerPeer: number;
  /** Open connections of all IPv6 addresses of one network; one more ends another of them. */
  readonly connectionsPerNetwork: number;
  /** Connections of the machine itself, which no other peer can take. */
  readonly loopbackConnections: number;
  /** Requests of a connection that are not answered yet; one more ends the connection. */
  readonly pipelined: number;
  /** Responses of one peer that are being made at a time, and of the machine itself. */
  readonly making: number;
  readonly loopbackMaking: number;
  /** Responses of all IPv6 addresses of one network that are being made at a time. */
  readonly networkMaking: number;
  /** Requests of one peer that wait; one more is refused with 503. */
  readonly waiting: number;
  /**
   * Bytes of request bodies that are held until their requests are answered: of all peers but the machine itself, of
   * one peer, and of all IPv6 addresses of one network. The first `SMALL_BODY_BYTES` of each body are not counted here.
   */
  readonly bodyBytes: number;
  readonly bodyBytesPerPeer: number;
  readonly bodyBytesPerNetwork: number;
  /** How long a body may make no progress. */
  readonly bodyMs: Milliseconds;
  /** How long responses are made before the event loop turns: other peers' requests and devices come between. */
  readonly turnMs: Milliseconds;
  /** How long requests under way may go on once the listener has to end. */
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
  // With the small part of a body on each of 256 connections, 16 MB in all.
  bodyBytes: 12_000_000,
  bodyBytesPerPeer: 6_000_000,
  bodyBytesPerNetwork: 8_000_000,
  bodyMs: 10_000,
  turnMs: 2,
  drainMs: 500,
};
