import type { PlayerRules } from '#drivers/announcer/announcement-player.ts';
import { duckedVolumes, givenBack, MOST_DUCKED } from '#machines/announcer/duck.ts';
import { soundKind } from '#machines/announcer/sound-kind.ts';
import { firstHop, isPanelItself, nextHop } from '#machines/announcer/source.ts';

/** The decisions as the agent wires them. */
export const playerRules: PlayerRules = {
  source: { firstHop, nextHop, isPanelItself },
  soundKind,
  duck: { duckedVolumes, givenBack, most: MOST_DUCKED },
};
