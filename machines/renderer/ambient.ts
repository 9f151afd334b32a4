import { matchesState } from 'xstate';

import type { AutoBrightnessContext } from '../auto-brightness/events.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import type { PageAppearance } from './events.ts';
import type { DesiredPage, RendererFacts, RoomVerdict } from './facts.ts';

type Wanted = Pick<RendererFacts, 'desired' | 'roomVerdict'>;
type AutoBrightness = SnapshotView<AutoBrightnessContext> | undefined;

const isOff = (snapshot: AutoBrightness): boolean => snapshot !== undefined && matchesState('off', snapshot.value);

/**
 * The verdict that the page follows; `none` while there is none, and null while it is unknown. It is unknown while the
 * automatic brightness starts, so that its restart at night does not flash the page.
 */
export function verdictIn(snapshot: AutoBrightness): NonNullable<RoomVerdict> | 'none' | null {
  if (snapshot === undefined) return null;
  const { ambient, why } = snapshot.context.room;
  if (ambient.verdict !== null) return ambient.verdict;
  return why === 'starting' && !isOff(snapshot) ? null : 'none';
}

const plain: DesiredPage['appearance'] = { zoomPercent: 100, theme: 'follow', kiosk: true, fullscreen: true };

/** What the page gets: without a verdict on the room it follows Home Assistant. */
export function appearanceOf({ desired, roomVerdict }: Wanted): PageAppearance {
  const appearance = desired?.appearance ?? plain;
  return { ...appearance, theme: appearance.theme === 'ambient' ? (roomVerdict ?? 'follow') : appearance.theme };
}

type Reason =
  | 'room_dark'
  | 'room_light'
  | 'holding_source_unavailable'
  | 'waiting_for_verdict'
  | 'auto_brightness_off'
  | 'no_light_source';

function reasonOf(verdict: RoomVerdict, snapshot: AutoBrightness): Reason {
  if (isOff(snapshot)) return 'auto_brightness_off';
  const room = snapshot?.context.room;
  if (verdict !== null) return room?.sourceAvailable === true ? `room_${verdict}` : 'holding_source_unavailable';
  return room?.why === 'no-source' ? 'no_light_source' : 'waiting_for_verdict';
}

/** The ambient theme in the status document; all null unless the setting asks for it. */
export function ambientView({ desired, roomVerdict }: Wanted, snapshot: AutoBrightness) {
  if (desired?.appearance.theme !== 'ambient')
    return { theme_ambient: null, theme_ambient_reason: null, theme_ambient_level: null };
  const verdict = isOff(snapshot) ? null : roomVerdict;
  const level = isOff(snapshot) ? null : (snapshot?.context.room.ambient.level ?? null);
  return {
    theme_ambient: verdict,
    theme_ambient_reason: reasonOf(verdict, snapshot),
    // In whole percent: the status document is not sent again for less.
    theme_ambient_level: level === null ? null : Math.round(level * 100) / 100,
  };
}
