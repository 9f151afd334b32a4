import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { AutoSleepContext, Gap, LeaseReason, SleepReason, SleepView } from './events.ts';

const [SECOND_MS, MINUTE_MS, HOUR_MINUTES]: readonly [Milliseconds, Milliseconds, number] = [1000, 60_000, 60];
const DAY_MS: Milliseconds = 86_400_000;

/** As short as a glance allows: seconds below a minute, then minutes, then hours. */
function lasting(ms: Milliseconds, round: (value: number) => number): string {
  const held = Math.max(0, ms);
  if (held < MINUTE_MS) return `${round(held / SECOND_MS)} s`;
  const minutes = round(held / MINUTE_MS);
  const [hours, rest] = [Math.floor(minutes / HOUR_MINUTES), minutes % HOUR_MINUTES];
  if (hours === 0) return `${minutes} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

const agoOf = (at: EpochMs | null, now: EpochMs): string | null =>
  at === null ? null : `${lasting(now - at, Math.floor)} ago`;

/** What helps where there are no sources. */
const steps: Readonly<Record<Gap, string>> = {
  starting: 'the sensors have not reported yet',
  'no-sensor': 'this panel has no proximity sensor; choose another source',
  'not-calibrated': 'calibrate the proximity sensor first',
  'signed-out': 'sign in to Home Assistant first',
  'home-assistant-away': 'Home Assistant does not respond',
  'no-device': 'Home Assistant does not know this panel; connect its broker first',
  'no-area': 'give the panel an area in Home Assistant first',
  'no-sensors': 'the panel’s area in Home Assistant has no presence sensor',
  'all-excluded': 'each sensor of the area is left out',
};

/** What began the lease that runs. */
const leases: Readonly<Record<LeaseReason, (ago: string | null) => string>> = {
  presence_lease: (ago) => (ago === null ? 'nobody in the room' : `nobody in the room, last seen ${ago}`),
  touch_lease: (ago) => (ago === null ? 'not touched' : `last touched ${ago}`),
  approach_lease: (ago) => (ago === null ? 'nobody near' : `nobody near, last seen ${ago}`),
  hand_lease: (ago) => (ago === null ? 'lit by hand' : `lit by hand, last used ${ago}`),
};

/** The sources are missing, so that nothing changes. */
type Inhibited = 'no_sources_configured' | 'all_sources_unavailable' | 'source_loss';
type Plain = Exclude<SleepReason, LeaseReason | Inhibited | 'screen_off_hours' | 'lease_expired'>;

/** Beginnings without a time. */
const plain: Readonly<Record<Plain, string>> = {
  disabled: 'Auto-sleep is off',
  runtime_unavailable: 'Stays as it is: auto-sleep is starting',
  announcement: 'On: an announcement plays',
  calibration: 'On: the proximity sensor is being calibrated',
  own_pages: 'On: the panel’s own pages are in use',
  dashboard: 'On: this dashboard keeps the screen on',
  entity: 'On: the entity that you chose came on',
  source_active: 'On: a sensor sees a person',
  partial_source_loss: 'On: a sensor is away, so the longest time counts',
  manual_suppression: 'Stays as it is: it was switched off by hand, so no sensor lights it yet',
};

const isLease = (reason: SleepReason): reason is LeaseReason => Object.hasOwn(leases, reason);

const isInhibited = (reason: SleepReason): reason is Inhibited =>
  reason === 'no_sources_configured' || reason === 'all_sources_unavailable' || reason === 'source_loss';

/** A time of day says only enough of the next 24 hours. */
const isFar = ({ offHours }: SleepView, now: EpochMs): boolean =>
  offHours.changesAt !== null && offHours.changesAt - now > DAY_MS;

function untilWords(view: SleepView, clock: string | null, now: EpochMs): string {
  const { changesAt } = view.offHours;
  if (clock !== null && !isFar(view, now)) return ` until ${clock}`;
  return changesAt === null ? '' : ` for ${lasting(changesAt - now, Math.ceil)}`;
}

function disabledWords(view: SleepView, clock: string | null, now: EpochMs): string {
  const { changesAt } = view.offHours;
  if (clock === null) return plain.disabled;
  const when = changesAt !== null && isFar(view, now) ? `in ${lasting(changesAt - now, Math.ceil)}` : `at ${clock}`;
  return `${plain.disabled}; the screen goes dark ${when}`;
}

function decisionOf(view: SleepView, clock: string | null, now: EpochMs): string {
  const { reason, gap, until, lastPresenceAt } = view;
  if (reason === 'screen_off_hours') return `Off${untilWords(view, clock, now)}, by the hours that you set`;
  if (reason === 'disabled') return disabledWords(view, clock, now);
  const ago = agoOf(lastPresenceAt, now);
  if (reason === 'lease_expired')
    return ago === null ? 'Off: nobody is there' : `Off: nobody is there, last seen ${ago}`;
  const left = until === null ? null : lasting(until - now, Math.ceil);
  if (isLease(reason)) return left === null ? `On: ${leases[reason](ago)}` : `Off in ${left}: ${leases[reason](ago)}`;
  if (isInhibited(reason)) return `Stays as it is: ${gap === null ? 'the sensors are away' : steps[gap]}`;
  const beginning = plain[reason];
  return left === null || view.phase !== 'holding' ? beginning : `${beginning}; ${left} left`;
}

/** The decision and its reasons as one sentence: no name, no place. */
export const sentenceOf = (
  { view, offHoursClock }: Pick<AutoSleepContext, 'view' | 'offHoursClock'>,
  now: EpochMs,
): string => `${decisionOf(view, offHoursClock, now)}.`;
