import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { ScreenId } from '../screen/events.ts';
import type { Verdict } from './arbitrate.ts';
import type { Moment, RuleView, SleepPhase, SleepView } from './events.ts';
import { type FollowState, leaseNow } from './follow-state.ts';
import { presenceVerdict } from './presence.ts';

function phaseOf({ screen, reason }: Verdict): SleepPhase {
  if (screen === 'on') return 'holding';
  if (screen === 'off') return 'sleeping';
  return reason === 'disabled' ? 'off' : 'inhibited';
}

const epochOf = (at: Milliseconds, { now, elapsed }: Moment): EpochMs => Math.round(now + at - elapsed);

/** Off-hours may begin before a lease of presence ends; what else holds the screen lit lasts. */
function untilOf(
  { handUntil, entityUntil, announcementUntil }: FollowState,
  { screen, reason, until }: Verdict,
  offHours: RuleView,
  moment: Moment,
): EpochMs | null {
  if (reason === 'screen_off_hours') return offHours.changesAt;
  if (until === null) return null;
  const end = epochOf(until, moment);
  if (screen !== 'on' || offHours.isActive || offHours.changesAt === null) return end;
  const held = Math.max(handUntil ?? -Infinity, entityUntil ?? -Infinity, announcementUntil ?? -Infinity);
  return Math.min(end, Math.max(offHours.changesAt, epochOf(held, moment)));
}

function presentAt({ presence, presentAt: at }: FollowState, moment: Moment): EpochMs | null {
  const { feed } = presence;
  if (feed?.kind === 'live' && feed.sources.some(({ state }) => state === 'on')) return moment.now;
  return at === null ? null : epochOf(at, moment);
}

/** The decision as others see it. */
export function decidedView(
  state: FollowState,
  verdict: Verdict,
  asleep: readonly ScreenId[],
  moment: Moment,
): SleepView {
  const { settings, presence, clocks, changes, isSuppressed } = state;
  const isEnabled = settings?.enabled === true;
  const offHours = clocks.off(moment.now);
  return {
    phase: phaseOf(verdict),
    reason: verdict.reason,
    gap: isEnabled ? presenceVerdict(presence, moment.elapsed).gap : null,
    until: untilOf(state, verdict, offHours, moment),
    lastPresenceAt: presentAt(state, moment),
    leaseMs: isEnabled ? leaseNow(state, moment) : null,
    sourceCount: presence.feed?.kind === 'live' ? presence.feed.sources.length : 0,
    isSuppressed,
    asleep,
    offHours,
    dim: clocks.dim(moment.now),
    changes,
  };
}
