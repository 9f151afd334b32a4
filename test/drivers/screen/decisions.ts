import type { DisplayDecisions } from '#drivers/screen/find-display.ts';
import { assignDisplays } from '#machines/screen/assign-displays.ts';
import { chooseRoutes, needsSlowRoutes } from '#machines/screen/choose-route.ts';
import { routeTrust } from '#machines/screen/route-trust.ts';

/** The machine's own decisions, as the profile hands them to the drivers. */
export const decisions: DisplayDecisions = { assignDisplays, chooseRoutes, needsSlowRoutes, routeTrust };
