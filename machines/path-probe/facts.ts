import type { BurstFact, ConnectionFact, PathProbeContext, RouteFamily } from './events.ts';
import { keepBurst, unknownWay } from './judge.ts';
import { nothingProbed } from './view.ts';
import { floor, scheduleAfter } from './schedule.ts';

type Change = Partial<PathProbeContext>;

/** Forgets the path and measures at the shortest interval. */
const forgotten: Change = { ...unknownWay, schedule: floor, lastBurstAt: null };

/** The default route changed its family: nothing known applies to it. */
export const followed = (family: RouteFamily): Change => nothingProbed(family);

/** The permission to send echoes was tried; without it nothing is known of the path. */
export const judged = (supported: boolean): Change => ({ supported, ...(supported ? {} : forgotten) });

/**
 * A socket connected, perhaps again: the interval starts at its floor, since a path that needed a reconnect is suspect.
 * What is known of the path stays, unless the family changed.
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

/** A ping of the socket went unanswered: the path is measured at the shortest interval (contract). */
export const suspected: Change = { schedule: floor };

/** The socket stopped: a proven path is unproven again; `unsupported` stays. */
export const disconnected: Change = { ...forgotten, connection: null, otherResolved: null };

/** A burst ended; one to a different address begins a new path. */
export function burstEnded(facts: PathProbeContext, { sent, roundTripsMs, moved, at }: BurstFact): Change {
  const burst = { sent, roundTripsMs };
  return {
    ...keepBurst(moved ? unknownWay : facts, burst),
    schedule: scheduleAfter(moved ? floor : facts.schedule, burst),
    lastBurstAt: sent === 0 ? facts.lastBurstAt : at,
  };
}
