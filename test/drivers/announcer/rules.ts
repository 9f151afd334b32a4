import type { LaneRules } from '#drivers/announcer/lane.ts';
import { duckedVolumes, givenBack, MOST_DUCKED } from '#machines/announcer/duck.ts';
import { soundKind } from '#machines/announcer/sound-kind.ts';
import { firstHop, isPanelItself, nextHop } from '#machines/announcer/source.ts';

/** The decisions as the agent wires them. */
export const laneRules: LaneRules = {
  source: { firstHop, nextHop, isPanelItself },
  soundKind,
  duck: { duckedVolumes, givenBack, most: MOST_DUCKED },
};
