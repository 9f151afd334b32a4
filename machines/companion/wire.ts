import type { Milliseconds } from '../kit/units.ts';

/** Path of the WebSocket that a paired Home Assistant opens. */
export const SOCKET_PATH = '/api/v1/companion/socket';

/** Oldest and newest protocol that this panel speaks. */
export const PROTOCOL = [1, 1] as const;

/** Begins the prologue of each handshake; the two greetings follow, each behind its length. */
export const PROLOGUE = 'sconce-companion-1';

/** First byte of a sealed frame. Only JSON is in use; the others are refused. */
export const channels = { json: 0, microphone: 1, speech: 2, images: 3 } as const;

/** Bounds of the wire. Both ends keep to them; sizes are in bytes. */
export const wireLimits = {
  /** A message before its sender has proved who it is. */
  greetingBytes: 4096,
  /** A message of a proven session, in either direction. */
  messageBytes: 1_048_576,
  /** What one session may leave unsent before it is closed. */
  unsentBytes: 4_194_304,
  /** Connections without proof: of one peer, and of all. */
  unprovenOfPeer: 4,
  /** Of all addresses of one IPv6 network: one machine can use every address of it, and must leave room. */
  unprovenOfNetwork: 12,
  unproven: 16,
  /** Handshakes that one peer may begin within a second. */
  handshakesPerSecond: 5,
  /** Keys that are kept, and so the most sessions at a time. */
  keys: 8,
  /** Issues of a panel at a time. */
  issues: 20,
} as const;

/** Longest texts of an issue, in characters. */
export const issueLengths = { title: 120, text: 1000 } as const;

/** In milliseconds; both ends keep to them. */
export const wireTimes = {
  /** From the connection to the proof; for pairing, each step until the question is asked. */
  proof: 10_000,
  /** For a person to answer a pairing. */
  question: 600_000,
  /** Between two pings; both ends send them. */
  ping: 15_000,
  /** Without any frame or pong from the other end, the connection counts as lost. */
  silence: 25_000,
  /** For the outcome of a command whose sender names no deadline, and the longest that one may name. */
  deadline: 8000,
  longestDeadline: 60_000,
} as const satisfies Readonly<Record<string, Milliseconds>>;
