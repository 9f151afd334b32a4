import type { Place } from '../approvals/events.ts';
import type { Milliseconds } from '../kit/units.ts';
import type { HolderFacts, InUseHolder, InUseRefusal } from './events.ts';

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
  /** True unless a screen is known to be dark: the mark is on one of them alone. */
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

/** Judges it; `marked` is true if the mark in the last picture stands for what is judged. */
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

/**
 * True for what may pass within `UNCONFIRMED_MS`: a turn of voice lights a dark screen as it begins, and nothing lights
 * one for the camera.
 */
export const mayPass = (holder: InUseHolder, verdict: Verdict): boolean =>
  holder === 'microphone' && verdict.is === 'refused' && verdict.reason === 'dark-without-led';

/** Why it is lost after `UNCONFIRMED_MS` without a confirmation. */
export function overdue(facts: Surroundings): InUseRefusal {
  const indication = indicationFor(facts);
  if ('refusal' in indication) return indication.refusal;
  return indication.by === 'led' ? 'led-failed' : 'unconfirmed';
}

/** What is to be on: the new indication at once, the old one until the new one is confirmed. */
export interface Wanted {
  /** What the mark stands for; empty for none. */
  readonly mark: readonly InUseHolder[];
  readonly led: boolean;
}

/** What is wanted of the mark and the LED for these holders; `marked` are those of the last picture. */
export function wantedFor(
  facts: Surroundings & { readonly marked: readonly InUseHolder[] },
  holders: readonly InUseHolder[],
  before: Wanted,
): Wanted {
  if (holders.length === 0) return { mark: [], led: false };
  const indication = indicationFor(facts);
  // It stays as it was until the release: what is in use may take a moment to end.
  if ('refusal' in indication) return { ...before, mark: before.mark.length === 0 ? [] : holders };
  const isOpen = holders.some((one) => judge({ ...facts, marked: facts.marked.includes(one) }).is !== 'shown');
  const isMarked = indication.by === 'overlay' || (indication.by === 'led' && isOpen && before.mark.length > 0);
  return { mark: isMarked ? holders : [], led: indication.by === 'led' || (isOpen && before.led) };
}

/** One word for all holders: nothing is shown where one of them is not. */
export function overall(
  holders: readonly InUseHolder[],
  each: Readonly<Record<InUseHolder, HolderFacts>>,
): HolderFacts {
  const held = holders.map((one) => each[one]);
  const missing = held.find(({ shown }) => shown === 'none');
  const refusal = held.find((one) => one.refusal !== null)?.refusal ?? null;
  return { shown: missing === undefined ? (held[0]?.shown ?? 'none') : 'none', refusal };
}

/**
 * True if the panel was told to draw nothing, or off-screen. A browser that is missing, or has no display just now, may
 * be back the next moment, and another program may draw meanwhile: none of that is a panel without a screen.
 */
export const isScreenless = (reason: InUseRefusal): boolean => reason === 'headless' || reason === 'no-renderer';
