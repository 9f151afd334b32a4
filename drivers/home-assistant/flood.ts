import type { Milliseconds } from '#machines/kit/units.ts';

/**
 * So many messages a second are each read as they come, and so many beyond that are a flood. A house whose entities a
 * panel watches sends a few a second.
 */
const CALM = 20;
/** Most that is counted: half a second after the end of a flood it is read at once again. */
const MOST = CALM * 1.5;
/**
 * How long nothing is read in a flood. With the pauses between two read-outs (`states.ts`) and two decisions of the
 * screen's sleep, 250 ms each, a change in a flood still counts within a second.
 */
const PAUSE_MS: Milliseconds = 400;
/**
 * Most bytes that may gather in a pause: half the receive buffer of a new connection on Linux (`tcp_rmem`, 128 KiB).
 * They hold a thousand of the shortest messages, and Home Assistant drops a client for which 4,096 wait, or 1,024 for
 * 5 s (`MAX_PENDING_MSG` and `PENDING_MSG_PEAK` of its `websocket_api`).
 */
const PAUSE_BYTES = 64 * 1024;

/** What came lately: each message adds to both numbers, which time takes away again. */
export interface Traffic {
  /** When the last message came; milliseconds on a monotonic clock. */
  readonly at: Milliseconds;
  /** Messages beyond `CALM` a second. */
  readonly messages: number;
  /** Bytes beyond `PAUSE_BYTES` in the time of a pause. */
  readonly bytes: number;
}

export const noTraffic: Traffic = { at: 0, messages: 0, bytes: 0 };

/** The traffic with one more message of so many bytes. */
export function withMessage(traffic: Traffic, at: Milliseconds, bytes: number): Traffic {
  const ms = Math.max(0, at - traffic.at);
  return {
    at,
    messages: Math.min(MOST, Math.max(0, traffic.messages - (ms * CALM) / 1000) + 1),
    bytes: Math.min(PAUSE_BYTES * 4, Math.max(0, traffic.bytes - (ms * PAUSE_BYTES) / PAUSE_MS) + bytes),
  };
}

/** How long nothing should be read after the last message: 0 in calm, and while more comes than may gather. */
export const pauseAfter = ({ messages, bytes }: Traffic): Milliseconds =>
  messages >= CALM && bytes <= PAUSE_BYTES ? PAUSE_MS : 0;
