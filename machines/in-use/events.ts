import type { NoPlaceReason, Place } from '../approvals/events.ts';
import type { DriverLogic } from '../kit/placeholder.ts';
import type { Milliseconds } from '../kit/units.ts';
import type { LedFacts } from './decide.ts';

/** What is shown to be in use; the mark has this order. */
export const inUseHolders = ['camera', 'microphone'] as const;
export type InUseHolder = (typeof inUseHolders)[number];

/** Why the room cannot be shown that something is in use. */
export type InUseRefusal =
  /** There is no kiosk screen: no browser, one that cannot be controlled, or an Android panel. */
  | NoPlaceReason
  /** The screen is dark, and the profile has no LED. */
  | 'dark-without-led'
  /** The LED did not take it, or does not show it. */
  | 'led-failed'
  /** The mark could not be confirmed in a picture for 3 s. */
  | 'unconfirmed';

/** Commands to the tab in front, through the browser's pipe. */
export type MarkCommand =
  /**
   * Draws the mark, again after each navigation and change of tab, and confirms it in a picture now and every 5 s:
   * amber for the microphone alone, red for the camera, red and twice as wide for both. A change of what it
   * shows is another `mark.show`.
   */
  { readonly type: 'mark.show'; readonly of: readonly InUseHolder[] } | { readonly type: 'mark.hide' };
/** `at` is of the monotonic clock. */
export type MarkFact =
  /** Its pixels were in a picture of its corner; `of` is what that mark means, maybe of an earlier command. */
  | { readonly type: 'mark.confirmed'; readonly of: readonly InUseHolder[]; readonly at: Milliseconds }
  /** It is not in the picture, there is no picture, or no browser. */
  | { readonly type: 'mark.unconfirmed'; readonly at: Milliseconds }
  | { readonly type: 'mark.hidden' };
export type MarkDriver = DriverLogic<MarkCommand, undefined, MarkFact>;

/** Commands to the LED, through the part that drives it. */
export type SurroundingsCommand = { readonly type: 'led.hold' } | { readonly type: 'led.release' };
/** The panel, as far as it decides how the room is shown that something is in use. */
export type SurroundingsFact =
  | { readonly type: 'place.changed'; readonly place: Place }
  /** True unless a screen is known to be dark. */
  | { readonly type: 'screens.changed'; readonly lit: boolean }
  | { readonly type: 'led.changed'; readonly led: LedFacts | null; readonly at: Milliseconds };
export type SurroundingsDriver = DriverLogic<SurroundingsCommand, undefined, SurroundingsFact>;

/** Answer to `in-use.hold`, once it is confirmed or refused; 3 s at most. */
export type HoldOutcome =
  | { readonly status: 'shown'; readonly by: 'overlay' | 'led' }
  | { readonly status: 'refused'; readonly reason: InUseRefusal };

export type InUseEvent =
  | { readonly type: 'in-use.hold'; readonly requestId: string; readonly holder: InUseHolder }
  | { readonly type: 'in-use.release'; readonly holder: InUseHolder }
  /** Ends it once nothing holds it: what is in use is closed before the mark is gone. */
  | { readonly type: 'in-use.stop' }
  | MarkFact
  | SurroundingsFact;

/** What the room is shown of one holder. */
export interface HolderFacts {
  /** How it is shown now, confirmed; `none` also while it is being confirmed again for the first 3 s. */
  readonly shown: 'none' | 'overlay' | 'led';
  /** Why it could not be shown, or was lost; null while it is shown or not held. */
  readonly refusal: InUseRefusal | null;
}

/** Public facts. */
export interface InUseContext {
  /** In the order of `inUseHolders`. */
  readonly holders: readonly InUseHolder[];
  readonly each: Readonly<Record<InUseHolder, HolderFacts>>;
  /** When it was last confirmed, by the monotonic clock; null before. */
  readonly confirmedAt: Milliseconds | null;
}

export interface InUseActor {
  readonly id: 'in-use';
  readonly context: InUseContext;
  readonly event: Extract<InUseEvent, { readonly type: 'in-use.hold' | 'in-use.release' | 'in-use.stop' }>;
  readonly asks: { readonly 'in-use.hold': HoldOutcome };
}
