import { type Backoff, backoffDelay } from '../kit/backoff.ts';
import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { Excess, ExcessCode } from './events.ts';

/** Back-off from a Home Assistant that sent too much: a minute, doubled each time up to an hour. */
const parkBackoff: Backoff = { firstMs: 60_000, capMs: 3_600_000, jitter: 0 };
/** After this long within the bounds, the back-off starts over. */
const FORGIVEN_MS: Milliseconds = 3_600_000;

/** The record of a Home Assistant that sent too much; `before` is the previous record. */
export function excessAfter(before: Excess | null, code: ExcessCode, now: EpochMs): Excess {
  const count = before !== null && now - before.until < FORGIVEN_MS ? before.count + 1 : 1;
  return { code, count, until: now + backoffDelay(parkBackoff, count, 0) };
}

/** The rest of the back-off; a clock that was set back does not extend it beyond its full length. */
export const parkedFor = ({ count, until }: Excess, now: EpochMs): Milliseconds =>
  Math.min(backoffDelay(parkBackoff, count, 0), Math.max(0, until - now));

const words: Readonly<Record<ExcessCode, string>> = {
  'message-too-large': 'a message of more than 16 MiB',
  'message-too-deep': 'a message with more than 100 levels',
  'message-too-many': 'a message with more than a million parts',
  'message-flood': 'more messages in ten seconds than this panel can read',
};

/** The warning for the owner. */
export const excessWords = (code: ExcessCode): string =>
  `Home Assistant sent ${words[code]}. The panel stays away from it for up to an hour and then tries again. Check that its address under Configure is the one of your Home Assistant; "Check again" tries at once.`;
