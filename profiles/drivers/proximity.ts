import type { ProximityDecisions } from '#drivers/proximity/sampled.ts';
import { advance, blankWatch } from '#machines/proximity/watch.ts';

/** What samples mean, as every proximity driver is given it. */
export const proximityDecisions: ProximityDecisions = { blank: blankWatch, advance };
