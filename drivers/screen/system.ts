import type { ToolEnv } from '#drivers/kit/run-tool.ts';
import type { ScreenDriver } from '#machines/screen/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import { type BacklightOptions, backlightRoute } from './backlight.ts';
import { connectedDisplays } from './connectors.ts';
import { ddcRoute } from './ddc.ts';
import { dimmingRoute } from './dimming.ts';
import type { DisplayDecisions } from './find-display.ts';
import { kscreenRoute } from './kscreen.ts';
import { routedScreen } from './routed-screen.ts';
import { socketSessions } from './sessions.ts';
import { judgeRoutes, remarkOf } from './verdicts.ts';
import { wlopmRoute } from './wlopm.ts';
import { xsetRoute } from './xset.ts';

/** Sources of a scan; the system's own by default. */
export interface SystemScreenOptions {
  readonly decisions: DisplayDecisions;
  /** Number of the display, 1 for the first. */
  readonly slot?: number;
  readonly env?: ToolEnv;
  readonly backlight?: BacklightOptions;
  /** Folder of the kernel's graphics class. */
  readonly drm?: string;
  /** Folder of the X servers' sockets. */
  readonly x11?: string;
  readonly changesMs?: Milliseconds;
}

/** Pause between two checks of displays and sessions. */
const CHANGES_MS: Milliseconds = 2000;

/** A display of this machine, through whichever route reaches it. */
export function systemScreen(options: SystemScreenOptions): ScreenDriver {
  const { slot = 1, env = process.env, changesMs = CHANGES_MS } = options;
  const sessions = socketSessions({ env, ...(options.x11 === undefined ? {} : { x11: options.x11 }) });
  return routedScreen({
    decisions: options.decisions,
    routes: [
      backlightRoute(options.backlight),
      wlopmRoute(sessions),
      kscreenRoute(sessions),
      xsetRoute(sessions),
      dimmingRoute(sessions),
    ],
    slowRoutes: [ddcRoute(env)],
    connectors: () => connectedDisplays(options.drm),
    // A panel's compositor often starts after the agent; the routes are then chosen again.
    sessions: sessions.names,
    slot,
    judge: judgeRoutes,
    remark: remarkOf,
    changesMs,
  });
}
