import type { Milliseconds } from '../kit/units.ts';
import type { Verdict } from './arbitrate.ts';
import type { Darkener, SleepDisplay, SleepOrigin } from './events.ts';
import type { DisplayRow } from './follow-state.ts';
import { EFFECT_MS } from './hands.ts';

/** Least time between two switches of one display. */
const PAUSE_MS: Milliseconds = 2000;
/** Until an order that has not taken effect is given again; also until a display that lit itself is darkened again. */
export const REPEAT_MS: Milliseconds = 60_000;
/** How long the panel's own input may take to light what was touched. */
const TOUCH_MS: Milliseconds = 1000;

/** What is decided for all displays. */
export interface Plan {
  readonly verdict: Verdict;
  readonly isOffHours: boolean;
  /** What lights every dark display for a while; null for nothing. */
  readonly waking: 'announcement' | 'entity' | null;
  /** No sources are configured, and that has lasted. */
  readonly isSourceless: boolean;
  readonly touchedAt: Milliseconds | null;
  /** Presence, or the lease of a hand, wants it lit: what merely holds one display lit lights no other. */
  readonly isWanted: boolean;
  /** When presence was seen last. */
  readonly presentAt: Milliseconds | null;
  readonly elapsed: Milliseconds;
}

interface Order {
  readonly on: boolean;
  readonly origin: SleepOrigin;
}

/** What follows for one display. */
export interface Planned {
  readonly order: Order | null;
  readonly darkened: Darkener | undefined;
  readonly borrowed: DisplayRow['borrowed'];
  readonly isReleased: boolean;
}

/** What a hand darkened is not lit by a lease that was running then. */
const isOwed = ({ adoptedAt }: DisplayRow, { presentAt }: Plan): boolean =>
  adoptedAt === null || (presentAt !== null && presentAt > adoptedAt);

/** What lights a display that the arbiter darkened, as the origin of that; null if nothing does for now. */
function lightFor(darkened: Darkener, row: DisplayRow, plan: Plan): SleepOrigin | null {
  const { verdict, isOffHours, isSourceless } = plan;
  if (isOffHours || verdict.screen === 'off') return null;
  if (darkened === 'clock') return 'clock';
  if (verdict.screen === 'on') return plan.isWanted && isOwed(row, plan) ? 'presence' : null;
  return verdict.reason === 'disabled' || row.isReleased || isSourceless ? 'auto-sleep' : null;
}

/** A request that something else made is being written. */
const isPending = ({ pendingSince }: DisplayRow, elapsed: Milliseconds): boolean =>
  pendingSince !== null && elapsed - pendingSince < EFFECT_MS;

function planDark(row: DisplayRow, darkened: Darkener | undefined, plan: Plan): Planned {
  const { borrowed, isReleased } = row;
  const { waking, verdict } = plan;
  const rest = { darkened, borrowed, isReleased };
  if (waking !== null) return { ...rest, order: { on: true, origin: waking }, borrowed: waking };
  const isResting = !isPending(row, plan.elapsed);
  const kept = { ...rest, borrowed: isResting ? null : borrowed };
  if (darkened === undefined) return { ...kept, order: null };
  const origin = lightFor(darkened, row, plan);
  if (origin !== null) return { ...kept, order: { on: true, origin } };
  // After off-hours it sleeps on, since the sources say so.
  return { ...kept, order: null, darkened: verdict.reason === 'lease_expired' ? 'auto-sleep' : darkened };
}

/** It stays lit, and is no longer one that the arbiter had darkened; but only once it is lit for certain. */
const stayingLit = (row: DisplayRow, darkened: Darkener | undefined, { elapsed }: Plan): Planned =>
  isPending(row, elapsed)
    ? { ...row, order: null, darkened }
    : { order: null, darkened: undefined, borrowed: null, isReleased: false };

function planLit(row: DisplayRow, darkened: Darkener | undefined, plan: Plan): Planned {
  const { borrowed, isReleased } = row;
  const { waking, verdict, isOffHours } = plan;
  if (waking !== null) return { order: null, darkened, borrowed, isReleased };
  // A hand had darkened it before it was lit for a while.
  const isBefore = borrowed !== null && darkened === undefined;
  if (verdict.screen === 'off') {
    const darkener: Darkener = isOffHours ? 'clock' : 'auto-sleep';
    const origin = isBefore ? borrowed : darkener;
    return { order: { on: false, origin }, darkened: isBefore ? undefined : darkener, borrowed, isReleased };
  }
  const isOwned = verdict.screen === 'on' && (borrowed === null || plan.isWanted);
  const staysLit = isOwned || (darkened !== undefined && lightFor(darkened, row, plan) !== null);
  if (staysLit) return stayingLit(row, darkened, plan);
  if (borrowed === null) return { order: null, darkened, borrowed, isReleased };
  return { order: { on: false, origin: borrowed }, darkened, borrowed, isReleased };
}

/** What follows from the decision for one display, before the pauses between switches. */
export function planned(display: SleepDisplay, row: DisplayRow, darkened: Darkener | undefined, plan: Plan): Planned {
  if (display.lit === null) return { ...row, order: null, darkened };
  return display.lit ? planLit(row, darkened, plan) : planDark(row, darkened, plan);
}

/** The display is on its way to what it was told. */
const isOwnWay = ({ lit }: SleepDisplay, { told }: DisplayRow): boolean =>
  told !== null && told.on === lit && !told.isAnswered;

/** When an order may be given, on the monotonic clock; in the past for at once. */
export function orderAt(display: SleepDisplay, row: DisplayRow, order: Order, plan: Plan): Milliseconds {
  const { told, pendingSince } = row;
  const pause = told === null ? -Infinity : told.at + (told.on === order.on ? REPEAT_MS : PAUSE_MS);
  const pending = pendingSince === null || isOwnWay(display, row) ? -Infinity : pendingSince + EFFECT_MS;
  const isTouchable = order.on && (order.origin === 'presence' || order.origin === 'clock');
  const touch = isTouchable && plan.touchedAt !== null ? plan.touchedAt + TOUCH_MS : -Infinity;
  return Math.max(pause, pending, touch);
}
