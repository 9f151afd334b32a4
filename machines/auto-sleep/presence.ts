import type { Milliseconds } from '../kit/units.ts';
import type { Feed, FeedPosition, Gap, LeaseReason, PresenceSource, SleepReason } from './events.ts';

/** Limits of a lease, except in mode `touch`: 10 and 60 min. */
export const MINIMUM_LEASE_MS: Milliseconds = 600_000;
export const MAXIMUM_LEASE_MS: Milliseconds = 3_600_000;

/** What the sources report, and until when the screen stays lit after them. All times are of a monotonic clock. */
export interface Presence {
  /** Null before the first. */
  readonly feed: Feed | null;
  readonly position: FeedPosition;
  /** End of the newest lease, in the past if it is over; null if none was granted since the last presence or loss. */
  readonly awakeUntil: Milliseconds | null;
  /** Where that lease began. */
  readonly leaseFrom: Milliseconds | null;
  readonly leaseReason: LeaseReason | null;
  /** Sources that were there are lost, and not back yet. */
  readonly wasLost: boolean;
}

export const noPresence: Presence = {
  feed: null,
  position: { generation: -1, revision: -1 },
  awakeUntil: null,
  leaseFrom: null,
  leaseReason: null,
  wasLost: false,
};

/** All sources as one. `off`: none is on, and each is healthy; `partly`: the same, but some are unavailable. */
export type Summary = 'on' | 'off' | 'partly' | 'unavailable' | 'none' | 'lost' | 'touch';

/** A feed with the same summary as the last of its generation changes no lease. */
export function summaryOfSources(sources: readonly PresenceSource[]): Summary {
  if (sources.length === 0) return 'none';
  let healthy = 0;
  for (const { state } of sources) {
    if (state === 'on') return 'on';
    if (state === 'off') healthy += 1;
  }
  if (healthy === 0) return 'unavailable';
  return healthy === sources.length ? 'off' : 'partly';
}

function summaryOf(feed: Feed | null): Summary {
  if (feed === null) return 'unavailable';
  return feed.kind === 'live' ? summaryOfSources(feed.sources) : feed.kind;
}

/** Only while these last does the end of a lease count. */
const isLeased = (summary: Summary): boolean => summary === 'off' || summary === 'partly' || summary === 'touch';

const isNewer = (before: FeedPosition, after: FeedPosition): boolean =>
  after.generation > before.generation || (after.generation === before.generation && after.revision > before.revision);

/** Never shorter than before: an earlier end, or one that is not a number, changes nothing. */
function extended(presence: Presence, from: Milliseconds, leaseMs: Milliseconds, leaseReason: LeaseReason): Presence {
  const until = from + leaseMs;
  return until > (presence.awakeUntil ?? -Infinity)
    ? { ...presence, awakeUntil: until, leaseFrom: from, leaseReason }
    : presence;
}

/** With sources that are unavailable, the longest lease: a person may be where only those look. */
const leaseIn = (summary: Summary, leaseMs: Milliseconds): Milliseconds =>
  summary === 'partly' ? Math.max(leaseMs, MAXIMUM_LEASE_MS) : leaseMs;

/** A lease that runs while one more source is lost becomes the longest; it still counts from where it began. */
function lengthenedByLoss(presence: Presence, at: Milliseconds): Presence {
  const { awakeUntil, leaseFrom, leaseReason } = presence;
  if (awakeUntil === null || leaseFrom === null || leaseReason === null || !(at < awakeUntil)) return presence;
  return extended(presence, leaseFrom, MAXIMUM_LEASE_MS, leaseReason);
}

/** The loss of what was there, until it is back; nothing configured is not a loss. */
function isLost(before: Presence, was: Summary, is: Summary): boolean {
  if (is !== 'lost' && is !== 'unavailable') return false;
  return before.wasLost || was === 'on' || isLeased(was);
}

/** Fixed and learned leases have nothing in common: the end of one says nothing in the other mode. */
const isOtherMode = (before: Feed | null, feed: Feed): boolean =>
  (before?.kind === 'touch' && feed.kind === 'live') || (before?.kind === 'live' && feed.kind === 'touch');

/**
 * A feed. One that is not newer than the last is dropped, also if it says something else. `startedAsleep`: the displays
 * are dark, so that sources that are back, or known for the first time, grant no lease. A source that is on, or none
 * that is healthy, ends the lease; when the last one goes off, the next begins.
 */
export function presenceAfterFeed(
  before: Presence,
  feed: Feed,
  position: FeedPosition,
  at: Milliseconds,
  leaseMs: Milliseconds,
  startedAsleep: boolean,
): Presence {
  if (!isNewer(before.position, position)) return before;
  const was = summaryOf(before.feed);
  const is = summaryOf(feed);
  const keeps = isLeased(is) && !isOtherMode(before.feed, feed);
  const after: Presence = {
    feed,
    position,
    awakeUntil: keeps ? before.awakeUntil : null,
    leaseFrom: keeps ? before.leaseFrom : null,
    leaseReason: keeps ? before.leaseReason : null,
    wasLost: isLost(before, was, is),
  };
  if (!isLeased(is)) return after;
  const isSame = position.generation === before.position.generation && (was === 'on' || isLeased(was));
  if (isSame && was !== 'on') return is === 'partly' && was === 'off' ? lengthenedByLoss(after, at) : after;
  if (!isSame && startedAsleep) return after;
  return extended(after, at, leaseIn(is, leaseMs), is === 'touch' ? 'touch_lease' : 'presence_lease');
}

/** A touch, an approach or a hand at `at`, also a late one: extends the lease, never shortens it. */
export function presenceAfterActivity(
  before: Presence,
  reason: LeaseReason,
  at: Milliseconds,
  leaseMs: Milliseconds,
): Presence {
  return extended(before, at, leaseIn(summaryOf(before.feed), leaseMs), reason);
}

/** What the sources and the lease say of the screen. */
export interface PresenceVerdict {
  /** `hold`: stays lit, `sleep`: may go dark, `inhibited`: is left as it is. */
  readonly verdict: 'hold' | 'sleep' | 'inhibited';
  readonly reason: SleepReason;
  /** Why there are no sources; null while there are some. */
  readonly gap: Gap | null;
  /** When the lease ends that holds it; null while a source is on. */
  readonly until: Milliseconds | null;
}

function inhibited(presence: Presence, summary: Summary): PresenceVerdict {
  const { feed, wasLost } = presence;
  const gap = feed === null ? 'starting' : feed.kind === 'live' || feed.kind === 'touch' ? null : feed.why;
  if (summary === 'none')
    return { verdict: 'inhibited', reason: 'no_sources_configured', gap: gap ?? 'no-sensors', until: null };
  const reason = summary === 'lost' && wasLost ? 'source_loss' : 'all_sources_unavailable';
  return { verdict: 'inhibited', reason, gap, until: null };
}

/** The first that applies: no sources, none healthy, a source on, a lease that runs; else it may sleep. */
export function presenceVerdict(presence: Presence, at: Milliseconds): PresenceVerdict {
  const summary = summaryOf(presence.feed);
  if (summary === 'on') return { verdict: 'hold', reason: 'source_active', gap: null, until: null };
  if (!isLeased(summary)) return inhibited(presence, summary);
  const { awakeUntil, leaseReason } = presence;
  if (awakeUntil === null || leaseReason === null || !(at < awakeUntil))
    return { verdict: 'sleep', reason: 'lease_expired', gap: null, until: null };
  const reason = summary === 'partly' ? 'partial_source_loss' : leaseReason;
  return { verdict: 'hold', reason, gap: null, until: awakeUntil };
}
