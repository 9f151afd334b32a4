import type { Place } from '../approvals/events.ts';
import type { Milliseconds } from '../kit/units.ts';
import type { InUseRefusal } from './events.ts';

/** Longest time that a use goes on, or waits to begin, without a confirmed mark or LED. */
export const UNCONFIRMED_MS: Milliseconds = 3000;
/** Time between two pictures of a confirmed mark. */
export const CONFIRM_MS: Milliseconds = 5000;

/** The profile's LED. */
export interface LedFacts {
  /** True if it was read back as held. */
  readonly shown: boolean;
  /** True if it is missing now, or refused what it was asked for. */
  readonly failed: boolean;
}

/** What decides how the room is shown that something is in use. */
export interface Surroundings {
  /** Where the panel can show something, as for a question. */
  readonly place: Place;
  /** True if a screen is lit, or none can be read. */
  readonly lit: boolean;
  /** Null without one. */
  readonly led: LedFacts | null;
}

/** The mark in the tab in front, that of the page of a simulated panel, or the LED. */
export type Indication = 'overlay' | 'drawn' | 'led';

/** How it is shown on this panel now, or why it cannot be. */
export function indicationFor({ place, lit, led }: Surroundings): { by: Indication } | { refusal: InUseRefusal } {
  if (place.kind === 'none') return { refusal: place.reason };
  if (lit) return { by: place.kind === 'screen' ? 'overlay' : 'drawn' };
  return led === null ? { refusal: 'dark-without-led' } : { by: 'led' };
}

/** What is known of an indication that is under way. */
export type Verdict =
  | { readonly is: 'shown'; readonly by: 'overlay' | 'led' }
  | { readonly is: 'refused'; readonly reason: InUseRefusal }
  /** Within `UNCONFIRMED_MS` it becomes one of the others. */
  | { readonly is: 'open' };

/** Judges it; `marked` is true if the last picture had the mark. */
export function judge(facts: Surroundings & { readonly marked: boolean }): Verdict {
  const indication = indicationFor(facts);
  if ('refusal' in indication) return { is: 'refused', reason: indication.refusal };
  switch (indication.by) {
    case 'drawn':
      return { is: 'shown', by: 'overlay' };
    case 'overlay':
      return facts.marked ? { is: 'shown', by: 'overlay' } : { is: 'open' };
    case 'led':
      if (facts.led?.failed === true) return { is: 'refused', reason: 'led-failed' };
      return facts.led?.shown === true ? { is: 'shown', by: 'led' } : { is: 'open' };
  }
}

/** Why it is lost after `UNCONFIRMED_MS` without a confirmation. */
export function overdue(facts: Surroundings): InUseRefusal {
  const indication = indicationFor(facts);
  if ('refusal' in indication) return indication.refusal;
  return indication.by === 'led' ? 'led-failed' : 'unconfirmed';
}

/** What is to be on: the new indication at once, the old one until the new one is confirmed. */
export interface Wanted {
  readonly mark: boolean;
  readonly led: boolean;
}

/** What is wanted of the mark and the LED; `before` is what was. */
export function wantedFor(facts: Surroundings & { readonly marked: boolean }, before: Wanted): Wanted {
  const indication = indicationFor(facts);
  // It stays as it was until the release: what is in use may take a moment to end.
  if ('refusal' in indication) return before;
  const isOpen = judge(facts).is !== 'shown';
  return {
    mark: indication.by === 'overlay' || (indication.by === 'led' && isOpen && before.mark),
    led: indication.by === 'led' || (isOpen && before.led),
  };
}
