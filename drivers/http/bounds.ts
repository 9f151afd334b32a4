import type { Milliseconds } from '#machines/kit/units.ts';

/** What a connection may cost. */
export interface ListenerBounds {
  /** Largest request head in bytes. */
  readonly headBytes: number;
  /** How long a request head may take to arrive. */
  readonly headMs: Milliseconds;
  /** How long a whole request may take to arrive; responses may last longer. */
  readonly requestMs: Milliseconds;
  /** How long an idle connection is kept. */
  readonly keepAliveMs: Milliseconds;
  /** How often overdue requests are looked for. */
  readonly checkMs: Milliseconds;
  /** Open connections, in all and from one address. */
  readonly connections: number;
  readonly connectionsPerPeer: number;
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
  connections: 256,
  connectionsPerPeer: 64,
  drainMs: 500,
};
