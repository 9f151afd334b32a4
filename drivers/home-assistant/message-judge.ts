import type { ExcessCode } from '#machines/home-assistant/events.ts';
import { jsonBounds, jsonJudge } from '#machines/kit/json-excess.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

/** Window over which messages are counted. */
const WINDOW_MS: Milliseconds = 10_000;
/**
 * Most of each per window: six lists of the largest size, which keep a small panel busy for half of it. A house with
 * 5000 entities sends 300,000 tokens in 3.2 MB when its entities are read, which is at most once a second.
 */
const MOST = { bytes: 128 * 1024 * 1024, tokens: 6_000_000, messages: 50_000 } as const;

const codes = { 'too-deep': 'message-too-deep', 'too-many': 'message-too-many' } as const;

/** Judges the messages of one connection before they are parsed; null if one may be. */
export function messageJudge(elapsed: () => Milliseconds): (message: Uint8Array, isText: boolean) => ExcessCode | null {
  let since = elapsed();
  let sum = { bytes: 0, tokens: 0, messages: 0 };
  return (message, isText) => {
    const now = elapsed();
    if (now - since >= WINDOW_MS) {
      since = now;
      sum = { bytes: 0, tokens: 0, messages: 0 };
    }
    const json = jsonJudge(jsonBounds.homeAssistant);
    const excess = isText ? json.take(message) : null;
    if (excess !== null) return codes[excess.kind];
    sum.bytes += message.length;
    sum.tokens += json.tokens();
    sum.messages += 1;
    return sum.bytes > MOST.bytes || sum.tokens > MOST.tokens || sum.messages > MOST.messages ? 'message-flood' : null;
  };
}
