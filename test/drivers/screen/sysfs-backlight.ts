import { type BacklightOptions, backlightRoute } from '#drivers/screen/backlight.ts';
import type { DisplayDecisions } from '#drivers/screen/find-display.ts';
import { routedScreen } from '#drivers/screen/routed-screen.ts';
import { judgeRoutes } from '#drivers/screen/verdicts.ts';
import type { ScreenDriver } from '#machines/screen/events.ts';

/** The real driver with the kernel's backlight as its only route. */
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
