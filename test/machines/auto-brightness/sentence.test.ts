import { describe, expect, it } from 'vitest';

import type { RoomView } from '#machines/auto-brightness/events.ts';
import { unknownRoom } from '#machines/auto-brightness/off.ts';
import { sentenceOf } from '#machines/auto-brightness/sentence.ts';

const NOW = 1_795_000_000_000;
const MINUTE = 60_000;
const following: RoomView = {
  ...unknownRoom,
  state: 'following',
  why: null,
  sourceKind: 'panel',
  sourceAvailable: true,
  latestLux: 100,
  expectedLux: 100,
  automaticTarget: 87,
  appliedTarget: 87,
  mode: 'confident',
};
const preference = {
  origin: 'panel_controls',
  requested: 153,
  automaticAtStart: 60,
  startedAt: NOW,
  endsAt: NOW,
} as const;

const chosen = (
  minutes: number,
  authority: number,
  changes: Partial<typeof preference | { origin: 'home_assistant' | 'system' }> = {},
): RoomView => ({
  ...following,
  state: 'preferred',
  preference: { ...preference, startedAt: NOW - minutes * MINUTE, authority, ...changes },
});

describe('the sentence of the room', () => {
  it.each<[string, RoomView]>([
    ['No light has been measured yet.', unknownRoom],
    ['No light has been measured yet: the level stays at 34 %.', { ...unknownRoom, appliedTarget: 87 }],
    ['This panel has no display that can be dimmed.', { ...unknownRoom, why: 'no-display' }],
    [
      'This panel has no light sensor, and none of Home Assistant is chosen.',
      { ...unknownRoom, why: 'no-source', appliedTarget: 87 },
    ],
    ['The light sensor is away.', { ...unknownRoom, why: 'source-away' }],
    ['The light sensor is away: the level stays at 34 %.', { ...unknownRoom, why: 'source-away', appliedTarget: 87 }],
    [
      'The chosen sensor does not measure in lx: the level stays at 34 %.',
      { ...unknownRoom, why: 'not-lux', appliedTarget: 87 },
    ],
    ['The light sensor gives no number.', { ...unknownRoom, why: 'not-a-number' }],
    ['34 %: as usual for this hour.', following],
    ['34 %: as usual for this hour.', { ...following, latestLux: 80 }],
    ['34 %: darker than usual for this hour.', { ...following, latestLux: 70 }],
    ['34 %: brighter than usual for this hour.', { ...following, brighter: true, latestLux: 900 }],
    ['34 %: as usual for this hour.', { ...following, latestLux: 900 }],
    ['34 %: by the light of the last minutes; what is usual is not known yet.', { ...following, mode: 'cold_start' }],
    [
      '34 %: as usual for this hour. What is learned now is not kept: the disk is full (ENOSPC).',
      { ...following, historyFault: 'ENOSPC' },
    ],
    [
      '34 %: as usual for this hour. What is learned now is not kept: the disk refuses it (EIO).',
      { ...following, historyFault: 'EIO' },
    ],
    [
      '20 %: as usual for this hour, held to night’s 20 %.',
      { ...following, automaticTarget: 51, heldTo: 51, appliedTarget: 51 },
    ],
    [
      '34 %: as usual for this hour, held to night’s 20 %; you chose 60 % 2 h ago, half of that still counts.',
      { ...chosen(120, 0.6), heldTo: 51 },
    ],
    [
      'The screen is off; it lights at 1 %: as usual for this hour, held to night’s 1 %.',
      { ...following, state: 'dark', heldTo: 3, appliedTarget: 3 },
    ],
    ['4 %: as usual for this hour.', { ...following, appliedTarget: 10 }],
    ['100 %: as usual for this hour.', { ...following, appliedTarget: 255 }],
    ['The screen is off; it lights at 34 %: as usual for this hour.', { ...following, state: 'dark' }],
    ['34 %: as usual for this hour; you chose 60 % just now, all of that still counts.', chosen(0, 0.2)],
    ['34 %: as usual for this hour; you chose 60 % 1 min ago, all of that still counts.', chosen(1, 0.21)],
    ['34 %: as usual for this hour; you chose 60 % 40 min ago, most of that still counts.', chosen(40, 0.4)],
    ['34 %: as usual for this hour; you chose 60 % 2 h ago, half of that still counts.', chosen(120, 0.6)],
    ['34 %: as usual for this hour; you chose 60 % 2 h 20 min ago, some of that still counts.', chosen(140, 0.75)],
    ['34 %: as usual for this hour; you chose 60 % 3 h 50 min ago, little of that still counts.', chosen(230, 0.97)],
    [
      '34 %: as usual for this hour; Home Assistant chose 60 % just now, all of that still counts.',
      chosen(0, 0.2, { origin: 'home_assistant' }),
    ],
    [
      '34 %: as usual for this hour; it was set to 60 % outside Sconce 5 min ago, all of that still counts.',
      chosen(5, 0.2, { origin: 'system' }),
    ],
    [
      '34 %: darker than usual for this hour; you chose 60 % 2 h ago, half of that still counts.',
      { ...chosen(120, 0.6), latestLux: 5 },
    ],
    // The wall clock was set back: it never says when that was in the future.
    ['34 %: as usual for this hour; you chose 60 % just now, half of that still counts.', chosen(-50, 0.6)],
  ])('%s', (sentence, room) => expect(sentenceOf(room, NOW)).toBe(sentence));
});
