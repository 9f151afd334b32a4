import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { EarlyAnswer, Target } from '#machines/http/events.ts';

/** How far a response is. */
export type Phase =
  /** Not in line: a refusal, or a response that is over. */
  | 'free'
  /** Behind another one of its connection. */
  | 'parked'
  /** First of its connection; the body of its request comes in. */
  | 'collecting'
  /** First of its connection; waits for one of its peer's places. */
  | 'ready'
  /** Has a place of its peer. */
  | 'making'
  /** Goes on without a place: a live stream, or it waits for the start of the agent. */
  | 'apart';

/** A response with its request in `req`. */
export interface InFlight extends ServerResponse {
  /** Where it goes to; null until its request was let in. */
  via: Connection | null;
  phase: Phase;
  /** What is asked for; without a path where the request was refused. */
  target: Target;
  /** The request's head as it came over the wire. */
  rawHead: readonly string[];
  /** Largest body of the request, in bytes. */
  limit: number;
  /** Whether the sender of a body waits for a word to go on. */
  isAsking: boolean;
  /** Ends when the handler has; null before it began. */
  work: Promise<void> | null;
  /** Lets a handler go on that stood aside; null where none does. */
  resume: (() => void) | null;
  /** Answers at once, past the library in front. */
  readonly answerEarly: (answer: EarlyAnswer) => void;
}

/** Addresses that one machine can change among: see `peerName`. They have bounds of their own, all together. */
export interface Network {
  readonly name: string;
  /** Most responses that are made for it at a time. */
  readonly places: number;
  /** Peers that are known of it. */
  peers: number;
  /** Open connections. */
  connections: number;
  /** Places that are taken. */
  making: number;
  /** Peers with something ready and a free place of their own, but none of the network's. */
  readonly held: Set<Peer>;
}

/** Everybody who is counted as one: see `peerName`. */
export interface Peer {
  readonly name: string;
  /** What it is counted with besides; null where one machine has one address. */
  readonly network: Network | null;
  /** Most responses that are made for it at a time. */
  readonly places: number;
  /** Open connections. */
  connections: number;
  /** Places that are taken. */
  making: number;
  /** Responses that are parked or ready. */
  waiting: number;
  /** Those that wait for a place, in order. */
  readonly ready: InFlight[];
}

/** One connection, on which responses are made one at a time. */
export interface Connection {
  readonly socket: Socket;
  /** Address of the other end: IPv4-mapped ones as IPv4, lower case, without a zone. */
  readonly address: string;
  readonly peer: Peer;
  /** When it was used last, as a number that grows with each use. */
  used: number;
  /** Responses under way, refusals among them. */
  under: number;
  /** The one that is first in line; null where no response is in line. */
  current: InFlight | null;
  /** The newest of those under way. */
  newest: InFlight | null;
  /** Those behind the first, in order. */
  readonly parked: InFlight[];
  /** Whether one that stood behind others was refused: it ends with that, and what comes then is not answered. */
  isEnding: boolean;
  /** Bytes that the kernel has taken, when a look found them pending. */
  sent: number;
  /** When their number was seen to change last; -1 while none are pending. */
  movedAt: number;
}
