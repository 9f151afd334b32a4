import type { LaneRules } from '#drivers/announcer/lane.ts';
import { duckedVolumes, isUntouched, MOST_DUCKED } from '#machines/announcer/duck.ts';
import { soundKind } from '#machines/announcer/sound-kind.ts';
import { firstHop, isPanelItself, nextHop } from '#machines/announcer/source.ts';

/** The decisions as the agent wires them. */
export const laneRules: LaneRules = {
  source: { firstHop, nextHop, isPanelItself },
  soundKind,
  duck: { duckedVolumes, isUntouched, most: MOST_DUCKED },
};
