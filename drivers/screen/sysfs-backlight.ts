import type { ScreenDriver } from '#machines/screen/events.ts';

import { type BacklightOptions, backlightRoute } from './backlight.ts';
import type { DisplayDecisions } from './find-display.ts';
import { routedScreen } from './routed-screen.ts';
import { judgeRoutes } from './verdicts.ts';

/** The kernel's backlight alone. */
export const sysfsBacklight = (decisions: DisplayDecisions, options: BacklightOptions = {}): ScreenDriver =>
  routedScreen({
    decisions,
    routes: [backlightRoute(options)],
    slowRoutes: [],
    connectors: () => Promise.resolve([]),
    slot: 1,
    judge: judgeRoutes,
    changesMs: null,
  });
