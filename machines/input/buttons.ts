import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { ButtonChange, ButtonEvent, Buttons } from './events.ts';
import { ownField } from '../kit/own-field.ts';

export const noButtons: Buttons = {
  states: {},
  occurrences: [],
  sequence: 0,
  rate: { since: 0, count: 0 },
  dropped: 0,
};

/** Button events kept for publishing. */
const KEPT = 16;
/**
 * Most button events in a second: more than fingers produce on four buttons, and a bound for a contact that bounces.
 */
const RATE_PER_S = 40;

const happen = (buttons: Buttons, button: string, at: EpochMs, events: readonly ButtonEvent[]): Buttons =>
  events.reduce((now, event) => {
    const sameSecond = at >= now.rate.since && at - now.rate.since < 1000;
    const rate = sameSecond ? { since: now.rate.since, count: now.rate.count + 1 } : { since: at, count: 1 };
    if (rate.count > RATE_PER_S) return { ...now, dropped: now.dropped + 1 };
    const sequence = now.sequence + 1;
    return { ...now, rate, sequence, occurrences: [...now.occurrences, { sequence, button, event, at }].slice(-KEPT) };
  }, buttons);

const lasts = (from: EpochMs, to: EpochMs, ms: Milliseconds): boolean => ms > 0 && to - from >= ms;

function goesDown(buttons: Buttons, { name, at, longMs, doubleMs }: ButtonChange): Buttons {
  const before = ownField(buttons.states, name);
  // A keyboard's own repeat, or a second device with the same button.
  if (before !== undefined && before.downAt !== null) return buttons;
  const firstAt = before?.firstAt ?? null;
  const doubles = firstAt !== null && at >= firstAt && at - firstAt <= doubleMs;
  const memory = {
    ...buttons.states,
    [name]: { downAt: at, longMs, long: false, firstAt: doubles || doubleMs === 0 ? null : at },
  };
  return happen({ ...buttons, states: memory }, name, at, doubles ? ['press', 'double_press'] : ['press']);
}

function goesUp(buttons: Buttons, { name, at, longMs }: ButtonChange): Buttons {
  const before = ownField(buttons.states, name);
  if (before !== undefined && before.downAt === null) return buttons;
  // A press that began before the driver listened has no start to measure from.
  const becomesLong =
    before !== undefined && before.downAt !== null && !before.long && lasts(before.downAt, at, longMs);
  const wasLong = becomesLong || before?.long === true;
  const memory = {
    ...buttons.states,
    [name]: { downAt: null, longMs, long: false, firstAt: wasLong ? null : (before?.firstAt ?? null) },
  };
  return happen({ ...buttons, states: memory }, name, at, becomesLong ? ['long_press', 'release'] : ['release']);
}

export const afterChange = (buttons: Buttons, change: ButtonChange): Buttons =>
  change.down ? goesDown(buttons, change) : goesUp(buttons, change);

/** All changes until `at` have been reported, so a button that is still down may have become a long press. */
export const afterSettled = (buttons: Buttons, at: EpochMs): Buttons =>
  Object.entries(buttons.states).reduce((now, [name, memory]) => {
    if (memory.downAt === null || memory.long || !lasts(memory.downAt, at, memory.longMs)) return now;
    return happen({ ...now, states: { ...now.states, [name]: { ...memory, long: true, firstAt: null } } }, name, at, [
      'long_press',
    ]);
  }, buttons);

/** How long until a pressed button may become a long press, from `at`; null if none can. */
export function dueIn(buttons: Buttons, at: EpochMs): Milliseconds | null {
  const waits = Object.values(buttons.states).flatMap(({ downAt, long, longMs }) =>
    downAt === null || long || longMs === 0 ? [] : [Math.min(longMs, Math.max(1, downAt + longMs - at))],
  );
  return waits.length === 0 ? null : Math.min(...waits);
}
