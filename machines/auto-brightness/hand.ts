import { ownField } from '../kit/own-field.ts';
import type { DisplayView, HandOrigin, Level } from './events.ts';
import { HAND_STEPS } from './preference.ts';

/** A level that a person set. */
export interface Hand {
  readonly display: DisplayView['id'];
  readonly origin: HandOrigin;
  readonly requested: Level;
}

/** Whose hand it is, by what a screen names as the cause; `touch`, `wave`, `itself` and the rest are none. */
const origins: Readonly<Record<string, HandOrigin>> = {
  'home-assistant': 'home_assistant',
  http: 'panel_controls',
  elsewhere: 'system',
};

/** True if the cause of the latest change is another one than before. */
export const isChanged = (before: DisplayView, after: DisplayView): boolean =>
  after.changed !== null && (before.changed?.at !== after.changed.at || before.changed.by !== after.changed.by);

/** True if it came on without a level of its own: it has the one that ON restores, or came on by itself. */
const isBareOn = (before: DisplayView, after: DisplayView): boolean =>
  before.lit !== true && (before.level === after.level || after.changed?.by === 'elsewhere');

function handOn(before: DisplayView, after: DisplayView, applied: Level | null): Hand | null {
  const origin = ownField(origins, after.changed?.by ?? '');
  if (origin === undefined || after.route === null || after.lit !== true) return null;
  if (!isChanged(before, after) || isBareOn(before, after)) return null;
  if (Math.abs(after.level - (applied ?? before.level)) < HAND_STEPS) return null;
  return { display: after.id, origin, requested: after.level };
}

/** The hand that changed one of the displays; the newest of several. A display that was not there before has none. */
export function handIn(
  before: readonly DisplayView[],
  after: readonly DisplayView[],
  applied: Level | null,
): Hand | null {
  const hands = after.flatMap((display) => {
    const known = before.find(({ id }) => id === display.id);
    const hand = known === undefined ? null : handOn(known, display, applied);
    return hand === null ? [] : [{ hand, at: display.changed?.at ?? 0 }];
  });
  return hands.toSorted((a, b) => a.at - b.at).at(-1)?.hand ?? null;
}
