import { LEVEL_MAX } from '../kit/level.ts';
import { clamp } from '../kit/units.ts';
import { asksForLevel, isByOrder, type Want } from './decide.ts';
import type { ScreenContext } from './events.ts';

/** What decides whether the level that the room asks for is written or waits for the light. */
interface RoomSituation extends Pick<ScreenContext, 'lit' | 'wanted' | 'fault' | 'changed'> {
  /** The level that the room asks for and that is not written yet. */
  readonly roomLevel: number | null;
}

/** Holds a requested level inside Home Assistant's 1 to 255. */
export const toRoomLevel = (level: number): number => Math.round(clamp(level, 1, LEVEL_MAX));

/** The request that writes such a level: it changes a lit display and never lights one. */
export const roomWant = (level: number): Want => ({ brightness: level, origin: 'auto-brightness', ifLit: true });

/**
 * True if the display is to go dark: a write to dark is pending, or was done and the display still gives light. Some
 * fade for longer than it takes to read a write back.
 */
export const isGoingDark = ({ wanted, fault, changed }: Omit<RoomSituation, 'lit' | 'roomLevel'>): boolean =>
  wanted === false || (fault === 'still-lit' && isByOrder(changed));

/** True if the room's level is to be written. */
export const isRoomLevelDue = (now: RoomSituation): boolean =>
  now.roomLevel !== null && now.lit === true && !isGoingDark(now);

/** The room's level after a reading: ON restores it on a dark display; one that was lit without a request drops it. */
export function roomLevelAfterReading(
  now: RoomSituation,
  isWriting: boolean,
): Partial<Pick<RoomSituation, 'roomLevel'> & Pick<ScreenContext, 'lastBrightness'>> {
  if (now.roomLevel === null) return {};
  if (now.lit !== true || isGoingDark(now)) return { lastBrightness: now.roomLevel };
  return isWriting ? {} : { roomLevel: null };
}

/** True if a person's level is being written or waits: it wins over what the room asked for meanwhile. */
export const isOverruled = (
  wanted: boolean | null,
  writing: { readonly want: Want } | null,
  next: Want | null,
): boolean =>
  wanted === true && [writing?.want ?? null, next].some((want) => want?.ifLit !== true && asksForLevel(want));
