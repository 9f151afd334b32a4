import type { Feed, PresenceSource, SleepSettings } from '#machines/auto-sleep/events.ts';
import type { ScreenId } from '#machines/screen/events.ts';
import { pick, type Random, sequence } from '#test/fakes/sequence.ts';

import { display, HOUR, live, lost, MINUTE, type Panel, panel, SECOND, START, type Switched } from './panel.ts';

const hands = ['home-assistant', 'http', 'elsewhere'] as const;
const states: readonly PresenceSource['state'][] = ['on', 'off', 'off', 'unavailable'];
export const ids = ['screen', 'screen_2'] as const;

const minuteFormats = new Map<string, Intl.DateTimeFormat>();
/** Minute of the day in a place, by another way than the arbiter's. */
export function minuteOf(now: number, timeZone: string): number {
  const known = minuteFormats.get(timeZone);
  const format =
    known ?? new Intl.DateTimeFormat('en', { timeZone, hour: '2-digit', minute: '2-digit', hour12: false });
  minuteFormats.set(timeZone, format);
  const [hour = 0, minute = 0] = format.format(now).split(':').map(Number);
  return (hour % 24) * 60 + minute;
}

/** True at night, from 22:30 to 06:30. */
export const isNight = (minute: number): boolean => minute >= 1350 || minute < 390;

/** What a judge knows of the day, from what was done to the panel alone. */
interface Known {
  feed: Feed | null;
  settings: SleepSettings;
  timeZone: string;
  /** Since when each display is dark by a hand. */
  readonly byHand: Map<ScreenId, number>;
  /** Of those, what is lit for a while. */
  readonly lent: Map<ScreenId, number>;
  readonly offAt: Map<ScreenId, number>;
  handOnAt: number;
  /** A person was seen, or did something. */
  personAt: number;
  /** The owner changed settings, or the sources were taken away. */
  arrangedAt: number;
  /** All sources off, or none on, since. */
  allOffSince: number | null;
  noneOnSince: number | null;
  /** When presence may light again what a hand had darkened. */
  rearmedAt: number;
}

export interface Day {
  readonly one: Panel;
  readonly known: Known;
  readonly random: Random;
  /** Switches that were judged. */
  judged: Switched[];
}

const isOn = ({ feed }: Known): boolean => feed?.kind === 'live' && feed.sources.some(({ state }) => state === 'on');

const isOffTime = ({ settings, timeZone }: Known, now: number): boolean =>
  settings.offHours !== '' && isNight(minuteOf(now, timeZone));

/** The wall clock at a moment that has just been. */
function nowAt(one: Panel, at: number): number {
  const { now, elapsed } = one.moment();
  return now - (elapsed - at);
}

/** What is wrong with a switch off; null if nothing is. */
function faultOfOff(day: Day, { screen, origin, at }: Switched): string | null {
  const { known, one } = day;
  const isSlept = origin === 'auto-sleep';
  if (isSlept && !known.settings.enabled) return 'asleep though auto-sleep is off';
  if (isSlept && isOn(known)) return 'asleep though a source is on';
  if (isSlept && known.feed?.kind !== 'live') return 'asleep without sources';
  if (origin === 'clock' && !isOffTime(known, nowAt(one, at))) return 'off by the clock at another time';
  const isRestored = origin === 'entity' || origin === 'announcement';
  if (isRestored && isOn(known) && known.byHand.size === 0) return `off by ${origin} though a source is on`;
  if (origin === 'presence') return 'off by presence';
  // What outlasts an entity is wanted lit by a person, and a hand on one display counts for all.
  const lentAt = known.lent.get(screen) ?? -Infinity;
  if (!isRestored && at - lentAt < 3 * MINUTE && known.handOnAt < lentAt)
    return `what a hand darkened is taken over by ${origin}`;
  // The shortest lease that a hand has.
  if (!(isRestored && !known.settings.enabled) && at - known.handOnAt < 2 * MINUTE)
    return 'off within the lease of a hand';
  return null;
}

function faultOfOn(day: Day, { screen, origin, at }: Switched): string | null {
  const { known, one } = day;
  if (origin === 'entity' || origin === 'announcement') return null;
  const handAt = known.byHand.get(screen);
  if (handAt !== undefined && known.rearmedAt <= handAt) return `a hand's off is undone by ${origin}`;
  if (isOffTime(known, nowAt(one, at))) return `on by ${origin} within off-hours`;
  const offAt = known.offAt.get(screen) ?? -Infinity;
  const isHand = known.handOnAt > offAt;
  if (origin === 'presence' && !isHand && known.feed?.kind !== 'live') return 'on by a lost source';
  if (origin === 'presence' && !isOn(known) && known.personAt < offAt) return 'on though no person was there';
  if (origin === 'auto-sleep' && known.arrangedAt <= offAt && handAt === undefined) return 'on for no reason';
  return at < offAt ? 'on before off' : null;
}

/** Since when the sources let a hand's OFF be forgotten. */
function followSources(known: Known, at: number): void {
  const list =
    known.feed?.kind === 'live' && known.settings.enabled ? known.feed.sources.map(({ state }) => state) : [];
  known.allOffSince = list.length > 0 && list.every((one) => one === 'off') ? (known.allOffSince ?? at) : null;
  known.noneOnSince = list.includes('off') && !list.includes('on') ? (known.noneOnSince ?? at) : null;
}

function rearm(known: Known, at: number): void {
  const last = Math.max(-Infinity, ...known.byHand.values());
  const { allOffSince, noneOnSince } = known;
  const isAll = allOffSince !== null && at - Math.max(allOffSince, last) >= 10 * MINUTE;
  const isNone = noneOnSince !== null && at - Math.max(noneOnSince, last) >= 60 * MINUTE;
  if (isAll || isNone) known.rearmedAt = at;
}

function follow(known: Known, { screen, on, origin, at }: Switched): void {
  const isLending = origin === 'entity' || origin === 'announcement';
  const handAt = known.byHand.get(screen);
  if (!on) known.offAt.set(screen, at);
  if (!isLending) known.byHand.delete(screen);
  if (isLending && on && handAt !== undefined && known.rearmedAt <= handAt) known.lent.set(screen, at);
  else known.lent.delete(screen);
}

/** Judges everything that was switched since the last call; throws what is wrong. */
function judge(day: Day): void {
  const { one, known } = day;
  const at = one.moment().elapsed;
  rearm(known, at);
  for (const done of one.switches.splice(0)) {
    const last = day.judged.findLast(({ screen }) => screen === done.screen);
    if (last !== undefined && done.at - last.at < 2 * SECOND) throw new Error('two switches within 2 s');
    day.judged.push(done);
    const fault = done.on ? faultOfOn(day, done) : faultOfOff(day, done);
    if (fault !== null) throw new Error(`${fault} (${JSON.stringify(one.view().reason)})`);
    follow(known, done);
  }
  if (isOn(known)) known.personAt = at;
}

/** Time passes, and each stretch of it is judged. */
export function passed(day: Day, ms: number): void {
  const end = day.one.moment().elapsed + ms;
  for (;;) {
    const { one } = day;
    const at = one.moment().elapsed;
    if (at >= end) return;
    one.pass(Math.max(1, Math.min(end - at, 1 + one.follow.dueIn(one.moment()), 10 * MINUTE)));
    judge(day);
  }
}

function give(day: Day, feed: Feed): void {
  const { one, known } = day;
  if (isOn(known)) known.personAt = one.moment().elapsed;
  known.feed = feed;
  followSources(known, one.moment().elapsed);
  if (feed.kind === 'none') known.arrangedAt = Infinity;
  else if (known.arrangedAt === Infinity) known.arrangedAt = one.moment().elapsed;
  one.feed(feed);
  judge(day);
}

/** A hand; what it does must be so, and stay so. */
function lay(day: Day, by: string, on: boolean, id: ScreenId): void {
  const { one, known } = day;
  passed(day, 3 * SECOND);
  // A display that reads as before has not changed.
  if (by === 'elsewhere' && one.lit(id) === on) return;
  one.hand(by, on, id);
  known.lent.delete(id);
  const at = one.moment().elapsed;
  if (on) {
    known.byHand.delete(id);
    known.handOnAt = at;
    known.personAt = at;
  } else {
    known.byHand.set(id, at + 100);
    known.handOnAt = -Infinity;
  }
  passed(day, 1500);
  if (one.lit(id) !== on) throw new Error(`a hand's ${on ? 'on' : 'off'} by ${by} does not last`);
}

function touch(day: Day): void {
  const { one, known } = day;
  known.personAt = one.moment().elapsed;
  known.handOnAt = one.moment().elapsed;
  known.byHand.clear();
  known.lent.clear();
  one.touch(day.random(4) === 0);
  passed(day, SECOND);
  if (one.displays().some(({ lit }) => lit !== true)) throw new Error('dark after a touch');
}

function choose(day: Day, changes: Partial<SleepSettings>): void {
  const { one, known } = day;
  known.settings = { ...known.settings, ...changes };
  known.arrangedAt = one.moment().elapsed;
  if (changes.enabled === false) known.feed = null;
  followSources(known, one.moment().elapsed);
  one.set(changes);
  // What was darkened before was so by other settings.
  judge(day);
  if (changes.enabled === true) one.begin();
}

const steps: readonly ((day: Day) => void)[] = [
  ...Array.from({ length: 5 }, () => (day: Day) => {
    const { random } = day;
    passed(day, random(pick(random, [2 * SECOND, MINUTE, 20 * MINUTE, 90 * MINUTE])));
  }),
  ...Array.from({ length: 4 }, () => (day: Day) => {
    if (day.known.settings.enabled) give(day, live(pick(day.random, states), pick(day.random, states)));
  }),
  (day) => give(day, live('off', 'off')),
  (day) => give(day, lost),
  (day) => give(day, live('unavailable', 'unavailable')),
  (day) => give(day, { kind: 'none', why: pick(day.random, ['no-area', 'starting'] as const) }),
  (day) => lay(day, pick(day.random, hands), day.random(2) === 0, pick(day.random, ids)),
  (day) => lay(day, pick(day.random, hands), false, pick(day.random, ids)),
  touch,
  ({ one, known }) => {
    known.personAt = one.moment().elapsed;
    one.take({ type: 'approached' });
  },
  ({ one, random }) => {
    const dark = one.displays().find(({ lit }) => lit === false);
    if (dark !== undefined) one.hand(pick(random, ['itself', 'stop']), true, dark.id);
  },
  ({ one }) => one.take({ type: 'entity.on' }),
  ({ one, random }) => one.hold({ announcement: random(2) === 0 }),
  ({ one, random }) => one.hold({ dashboard: random(3) === 0, ownPages: random(3) === 0 }),
  (day) => choose(day, { offHours: pick(day.random, ['', '22:30-06:30']) }),
  (day) => choose(day, { enabled: !day.known.settings.enabled }),
];

/** A panel with two displays in the middle of a random day. */
export function dayOf(seed: number): Day {
  const random = sequence(seed);
  const elapsed = 50_000;
  const settings = {
    offHours: pick(random, ['', '22:30-06:30']),
    wakeOnEntity: 'binary_sensor.bell',
    wakeOnAnnouncement: random(2) === 0,
  };
  const start = { now: START + random(24) * HOUR, elapsed };
  const one = panel({ settings, start, displays: ids.map((id) => display({ id })) });
  const known: Known = {
    feed: null,
    settings: one.settings(),
    timeZone: 'Europe/Berlin',
    byHand: new Map(),
    lent: new Map(),
    offAt: new Map(),
    handOnAt: -Infinity,
    personAt: -Infinity,
    arrangedAt: -Infinity,
    allOffSince: null,
    noneOnSince: null,
    rearmedAt: -Infinity,
  };
  return { one, known, random, judged: [] };
}

/** So many random things happen. */
export function live24(day: Day, count: number): void {
  for (let step = 0; step < count; step += 1) {
    pick(day.random, steps)(day);
    judge(day);
  }
}
