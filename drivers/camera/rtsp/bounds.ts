import type { Milliseconds } from '#machines/kit/units.ts';

/** What clients of the stream may cost. */
export interface StreamBounds {
  /** Most clients: those that were promised the stream (DESCRIBE) and those that play. */
  readonly clients: number;
  /** The same of one peer; the machine itself may have all. */
  readonly clientsPerPeer: number;
  /** Most connections of one peer that do not play yet, of all addresses of an IPv6 network, and in all. */
  readonly waitingPerPeer: number;
  readonly waitingPerNetwork: number;
  readonly waiting: number;
  /** How long a connection may exist without playing. */
  readonly beforePlayMs: Milliseconds;
  /** How long a lease lasts before PLAY, and after PAUSE. */
  readonly leaseMs: Milliseconds;
  /** How long DESCRIBE waits for the camera: clients give up after 5 s without an answer. */
  readonly admissionMs: Milliseconds;
  /** Largest head of a request in bytes, and the time that it may take to arrive. */
  readonly headBytes: number;
  readonly headMs: Milliseconds;
  /** Largest body, which is skipped. */
  readonly bodyBytes: number;
  readonly requestsPerSecond: number;
  readonly bytesPerSecond: number;
  /** Bytes that may wait for a TCP client; beyond it the client gets nothing before a key frame. */
  readonly queuedBytes: number;
  /** Below this, such a client is given the next key frame. */
  readonly resumeBytes: number;
  /** How long a client's queue may stay as it is. */
  readonly stalledMs: Milliseconds;
  /** How long a session over UDP lasts without a request or a report of the client. */
  readonly silentMs: Milliseconds;
  /** How long clients wait for a capture that ended to go on. */
  readonly betweenCapturesMs: Milliseconds;
  /** Pause between two sender reports. */
  readonly reportMs: Milliseconds;
  /** Most bytes that a joining UDP client gets at once: what receive buffers take by default (`rmem_default`). */
  readonly burstBytes: number;
  /** Pause between two attempts to listen. */
  readonly retryMs: Milliseconds;
  /**
   * Pause between two checks of all that is due: while a client comes or goes, while all play (with the next picture),
   * and while all play and no picture comes.
   */
  readonly tickMs: Milliseconds;
  readonly playingTickMs: Milliseconds;
  readonly waitingTickMs: Milliseconds;
  /** How long a connection may take to end once its last bytes were written. */
  readonly closingMs: Milliseconds;
}

export const streamBounds: StreamBounds = {
  clients: 16,
  clientsPerPeer: 8,
  waitingPerPeer: 4,
  waitingPerNetwork: 8,
  waiting: 32,
  beforePlayMs: 15_000,
  leaseMs: 10_000,
  admissionMs: 4500,
  headBytes: 8 * 1024,
  headMs: 10_000,
  bodyBytes: 8 * 1024,
  requestsPerSecond: 20,
  bytesPerSecond: 64 * 1024,
  queuedBytes: 1024 * 1024,
  resumeBytes: 512 * 1024,
  stalledMs: 10_000,
  silentMs: 62_000,
  betweenCapturesMs: 5000,
  reportMs: 5000,
  burstBytes: 128 * 1024,
  retryMs: 10_000,
  tickMs: 250,
  playingTickMs: 1000,
  waitingTickMs: 5000,
  closingMs: 400,
};

/** Timeout of a session in seconds, as clients are told; theirs send something shortly before. */
export const SESSION_SECONDS = 60;
