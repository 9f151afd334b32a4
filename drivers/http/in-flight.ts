import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { EarlyAnswer, Target, UploadedFile } from '#machines/http/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

/** Progress of a response. */
export type Phase =
  /** Not queued: a refusal, or a response that is over. */
  | 'free'
  /** Queued behind another one on its connection. */
  | 'parked'
  /** First on its connection; the body of its request is arriving. */
  | 'collecting'
  /** First on its connection; the body of its request is being received into a file. */
  | 'uploading'
  /** First on its connection; waits for one of its peer's places. */
  | 'ready'
  /** Holds a place of its peer. */
  | 'making'
  /** Continues without a place: a live stream, or a wait for the start of the agent. */
  | 'apart';

/** A response with its request in `req`. */
export interface InFlight extends ServerResponse {
  /** Its connection; null until its request was let in. */
  via: Connection | null;
  phase: Phase;
  /** Path and query; empty if the request was refused. */
  target: Target;
  /** When the head of its request was complete, by the clock of the listener; -1 before. */
  arrivedAt: Milliseconds;
  /** The file with the body of its request; null without one. */
  upload: UploadedFile | null;
  /** The request's header lines as received. */
  rawHead: readonly string[];
  /** Largest body that the request may have, in bytes. */
  limit: number;
  /** True if the sender of a body waits for `100 Continue`. */
  isAsking: boolean;
  /** Settles when the handler is done; null before it began. */
  work: Promise<void> | null;
  /** Resumes a handler that gave up its place; null if none did. */
  resume: (() => void) | null;
  /** Answers at once, bypassing the library. */
  readonly answerEarly: (answer: EarlyAnswer) => void;
}

/** Addresses that one machine can change among (see `peerName`). They share separate bounds. */
export interface Network {
  readonly name: string;
  /** Most responses that are made for it at a time. */
  readonly places: number;
  /** Number of its known peers. */
  peers: number;
  /** Open connections. */
  connections: number;
  /** Places that are taken. */
  making: number;
  /** Peers with a ready response and a free place, held up because the network has none. */
  readonly held: Set<Peer>;
}

/** The addresses that count as one sender (see `peerName`). */
export interface Peer {
  readonly name: string;
  /** The network it also counts for; null where one machine has one address. */
  readonly network: Network | null;
  /** Most responses that are made for it at a time. */
  readonly places: number;
  /** Open connections. */
  connections: number;
  /** Places that are taken. */
  making: number;
  /** Responses that are parked or ready. */
  waiting: number;
  /** Responses that wait for a place, in order. */
  readonly ready: InFlight[];
}

export interface Connection {
  readonly socket: Socket;
  /** Address of the other end, in lower case, without a zone, IPv4-mapped ones as IPv4. */
  readonly address: string;
  readonly peer: Peer;
  /** True once it has left HTTP. */
  isUpgraded: boolean;
  /** Sequence number of its last use. */
  used: number;
  /** Responses under way, refusals included. */
  responses: number;
  /** The first in the queue; null if the queue is empty. */
  current: InFlight | null;
  /** The newest response under way. */
  newest: InFlight | null;
  /** Those queued behind the first, in order. */
  readonly parked: InFlight[];
  /**
   * True once a queued request was refused: the connection ends with that refusal, and later requests get no response.
   */
  isEnding: boolean;
  /** Bytes that the kernel had taken at the last check that found some pending. */
  sent: number;
  /** When that number was last seen to change; -1 while none are pending. */
  movedAt: number;
}
