import type { BurstFact, ConnectionFact, PathProbeContext, RouteFamily } from './events.ts';
import { keepBurst, unknownWay } from './judge.ts';
import { nothingProbed } from './view.ts';
import { floor, scheduleAfter } from './schedule.ts';

/** What changes of the facts at each event. */
type Change = Partial<PathProbeContext>;

/** Nothing is known of the way any more, and it is measured as often as it may be. */
const forgotten: Change = { ...unknownWay, schedule: floor, lastBurstAt: null };

/** Another family stands for the default route: what was known is of no use for it. */
export const followed = (family: RouteFamily): Change => nothingProbed(family);

/** Whether echoes may be sent was tried; where they may not, nothing of the way is known. */
export const judged = (supported: boolean): Change => ({ supported, ...(supported ? {} : forgotten) });

/**
 * A socket is connected, perhaps once more: its way is measured from the floor on, since a way that had to be connected
 * anew looked wrong. What is known of it stays, but not of another family.
 */
export const connected = (
  { family }: PathProbeContext,
  event: Extract<ConnectionFact, { readonly type: 'route.connected' }>,
): Change => ({
  ...(event.family === family ? { schedule: floor } : { ...forgotten, supported: null }),
  family: event.family,
  connection: event.number,
  otherResolved: event.otherResolved,
});

/** A ping of the socket went unanswered: the way is measured as often as it may be (contract). */
export const suspected: Change = { schedule: floor };

/** The socket stopped: what was proven is unproven again, what is unsupported stays so. */
export const disconnected: Change = { ...forgotten, connection: null, otherResolved: null };

/** A burst is over; where it went to another address the way is another. */
export function burstEnded(facts: PathProbeContext, { sent, roundTripsMs, moved, at }: BurstFact): Change {
  const burst = { sent, roundTripsMs };
  return {
    ...keepBurst(moved ? unknownWay : facts, burst),
    schedule: scheduleAfter(moved ? floor : facts.schedule, burst),
    lastBurstAt: sent === 0 ? facts.lastBurstAt : at,
  };
}
