import type { PlayerRules } from '#drivers/announcer/announcement-player.ts';
import { duckedVolumes, givenBack, isDucked, MOST_DUCKED } from '#machines/announcer/duck.ts';
import { soundKind } from '#machines/announcer/sound-kind.ts';
import { firstHop, isPanelItself, nextHop, toldOf } from '#machines/announcer/source.ts';

/** The decisions as the agent wires them, but what a source of these tests did is told: all of them are on loopback. */
export const playerRules: PlayerRules = {
  source: { firstHop, nextHop, isPanelItself, isOnPanel: () => false, toldOf },
  soundKind,
  duck: { duckedVolumes, givenBack, isDucked, most: MOST_DUCKED },
};
