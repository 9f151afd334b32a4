import type { Milliseconds } from '../kit/units.ts';
import type { ObservedDisplay } from './events.ts';

/**
 * Longest time that touches are kept from the page after one that requested light, while the display stays dark, in
 * milliseconds.
 */
export const GRAB_BOUND_MS: Milliseconds = 10_000;

/**
 * True if touches are kept from other programs: while a display that a touch would light is dark, is being switched
 * off, or is not lit yet. An unknown display (lost, parked, unreachable) keeps nothing back, and neither does a stuck
 * one: a panel that cannot be lit must at least obey a finger.
 */
export const grabsTouch = (displays: Readonly<Record<string, ObservedDisplay>>, stuck: readonly string[]): boolean =>
  Object.entries(displays).some(([id, { lit, wanted }]) => !stuck.includes(id) && (lit === false || wanted === false));

/**
 /**
  * The displays that stayed dark although they were switched on; one leaves the list when it is lit, lost, or
  * switched off again.
  */
export function stuckAfter(
  stuck: readonly string[],
  id: string,
  before: ObservedDisplay | undefined,
  after: ObservedDisplay,
): readonly string[] {
  if (after.lit !== false || after.wanted === false)
    return stuck.includes(id) ? stuck.filter((other) => other !== id) : stuck;
  const failed = before?.wanted === true && after.wanted === null;
  return failed && !stuck.includes(id) ? [...stuck, id] : stuck;
}

/** The displays that count as stuck once the wait for light is over: all that are dark and not being switched off. */
export const overdueDisplays = (displays: Readonly<Record<string, ObservedDisplay>>): readonly string[] =>
  Object.entries(displays)
    .filter(([, { lit, wanted }]) => lit === false && wanted !== false)
    .map(([id]) => id);
