import type { Milliseconds } from '../kit/units.ts';

/** How long "Approve" must be pressed. */
const HOLD_MS: Milliseconds = 1000;
/** How long a question must be seen before a press on it counts, so that nothing aimed at the dashboard hits it. */
const SEEN_MS: Milliseconds = 1000;
/** Facts of the page arrive up to this much earlier or later than the page made them. */
const JITTER_MS: Milliseconds = 100;

/** What is known of the question on the screen, by the monotonic clock. */
export interface HoldFacts {
  /** Since when its tab is visible; null while it is not. */
  readonly visibleSince: Milliseconds | null;
  /** Since when a screen is lit; null while all are dark. */
  readonly litSince: Milliseconds | null;
  /** The press on "Approve" under way; null without one. */
  readonly pressed: { readonly id: string; readonly at: Milliseconds } | null;
}

/**
 * True if a press that lasted until `now` approves the question `id`: it began once that was readable, and lasted
 * a second.
 */
export function isDeliberate({ visibleSince, litSince, pressed }: HoldFacts, id: string, now: Milliseconds): boolean {
  if (visibleSince === null || litSince === null || pressed === null || pressed.id !== id) return false;
  const readable = Math.max(visibleSince, litSince);
  return pressed.at - readable >= SEEN_MS - JITTER_MS && now - pressed.at >= HOLD_MS - JITTER_MS;
}
