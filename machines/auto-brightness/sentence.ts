import { LEVEL_MAX } from '../kit/level.ts';
import { ownField } from '../kit/own-field.ts';
import type { EpochMs, Milliseconds } from '../kit/units.ts';
import type { HandOrigin, Level, RoomView, Unavailable } from './events.ts';
import { LEAST_AUTHORITY } from './preference.ts';

const MINUTE_MS: Milliseconds = 60_000;
/** From this ratio of measured to expected light on, the room counts as darker than usual. */
const DARKER = 0.75;

const percent = (level: Level): string => `${Math.round((level / LEVEL_MAX) * 100)} %`;

const reasons: Readonly<Record<Unavailable, string>> = {
  starting: 'No light has been measured yet',
  'no-display': 'This panel has no display that can be dimmed',
  'no-source': 'This panel has no light sensor, and none of Home Assistant is chosen',
  'source-away': 'The light sensor is away',
  'not-lux': 'The chosen sensor does not measure in lx',
  'not-a-number': 'The light sensor gives no number',
};

/** What nothing is decided about. */
function withoutDecision({ why, appliedTarget }: RoomView): string {
  const reason = reasons[why ?? 'starting'];
  if (why === 'no-display' || why === 'no-source') return `${reason}.`;
  return appliedTarget === null ? `${reason}.` : `${reason}: the level stays at ${percent(appliedTarget)}.`;
}

/** How the light compares with what is usual. */
function compared({ mode, brighter, latestLux, expectedLux }: RoomView): string {
  if (mode === null || mode === 'cold_start') return 'by the light of the last minutes; what is usual is not known yet';
  const isDarker = latestLux !== null && expectedLux !== null && 1 + latestLux < DARKER * (1 + expectedLux);
  // First: the room counts as brighter for some seconds after the light fell.
  if (isDarker) return 'darker than usual for this hour';
  return brighter ? 'brighter than usual for this hour' : 'as usual for this hour';
}

/** The same, and what keeps the level below it. */
const comparison = (room: RoomView): string =>
  `${compared(room)}${room.heldTo === null ? '' : `, held to night’s ${percent(room.heldTo)}`}`;

const hands: Readonly<Record<HandOrigin, (level: string, ago: string) => string>> = {
  panel_controls: (level, ago) => `you chose ${level} ${ago}`,
  home_assistant: (level, ago) => `Home Assistant chose ${level} ${ago}`,
  system: (level, ago) => `it was set to ${level} outside Sconce ${ago}`,
};

function agoOf(ms: Milliseconds): string {
  const minutes = Math.floor(Math.max(0, ms) / MINUTE_MS);
  if (minutes === 0) return 'just now';
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${minutes} min ago`;
  return rest === 0 ? `${hours} h ago` : `${hours} h ${rest} min ago`;
}

/** How much of a chosen level counts, by its share: at the start 1, at the end 0. */
function counting(share: number): string {
  if (share >= 0.95) return 'all of that still counts';
  if (share >= 0.6) return 'most of that still counts';
  if (share >= 0.4) return 'half of that still counts';
  return share >= 0.15 ? 'some of that still counts' : 'little of that still counts';
}

function choice({ preference }: RoomView, now: EpochMs): string {
  if (preference === null) return '';
  const { origin, requested, startedAt, authority } = preference;
  const hand = hands[origin](percent(requested), agoOf(now - startedAt));
  return `; ${hand}, ${counting((1 - authority) / (1 - LEAST_AUTHORITY))}`;
}

const refusals: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EROFS: 'the disk can only be read',
};

/** What follows while the disk refuses the history. */
function unkept({ historyFault }: RoomView): string {
  if (historyFault === null) return '';
  const reason = ownField(refusals, historyFault) ?? 'the disk refuses it';
  return ` What is learned now is not kept: ${reason} (${historyFault}).`;
}

/** The decision and its reasons as one sentence; another one says if the disk keeps nothing. */
export const sentenceOf = (room: RoomView, now: EpochMs): string => `${decisionOf(room, now)}${unkept(room)}`;

function decisionOf(room: RoomView, now: EpochMs): string {
  const { state, appliedTarget } = room;
  if (state === 'unavailable' || appliedTarget === null) return withoutDecision(room);
  const reasoned = `${comparison(room)}${choice(room, now)}`;
  if (state === 'dark') return `The screen is off; it lights at ${percent(appliedTarget)}: ${reasoned}.`;
  return `${percent(appliedTarget)}: ${reasoned}.`;
}
