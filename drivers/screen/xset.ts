import { runTool } from '#drivers/kit/run-tool.ts';
import { ok, refuse, type Result } from '#machines/kit/result.ts';

import type { DisplayRoute, RouteReading, RouteRefusal, RouteTarget } from './route.ts';
import { inSession, type Sessions } from './sessions.ts';

/**
 * Parses `xset q`: true if the monitor is on, `no-dpms` if the server cannot switch it, null if the text does not say.
 */
export function parseXset(text: string): boolean | 'no-dpms' | null {
  if (text.includes('does not have the DPMS Extension')) return 'no-dpms';
  const word = /^\s*Monitor is (On|Off|in Standby|in Suspend)\s*$/m.exec(text)?.[1];
  if (word !== undefined) return word === 'On';
  // With power saving disabled the server says only that; the monitor is then on.
  return /^\s*DPMS is Disabled\s*$/m.test(text) ? true : null;
}

/** Switches all monitors of an X server at once. */
export const xsetRoute = (sessions: Sessions): DisplayRoute => ({
  name: 'xset',
  list: (signal) =>
    inSession(sessions, 'x11', async (env): Promise<Result<readonly RouteTarget[], RouteRefusal>> => {
      const read = async (): Promise<Result<RouteReading, RouteRefusal>> => {
        const text = await runTool('xset', ['q'], env, signal);
        if (!text.ok) return text;
        const powered = parseXset(text.value);
        if (powered === 'no-dpms') return refuse('nothing-there', 'This X server cannot switch its monitors.');
        return powered === null
          ? refuse('not-understood', 'xset said something unexpected.')
          : ok({ raw: null, powered });
      };
      const now = await read();
      if (!now.ok) return now;
      return ok([
        {
          route: 'xset',
          connector: null,
          name: 'X11',
          rawMax: null,
          power: true,
          pollMs: 2000,
          answerMs: 6000,
          read,
          write: async ({ powered }) => {
            if (powered === null) return ok(null);
            // Forcing enables power saving, whose timers would darken the screen later, so they are disabled first.
            const still = await runTool('xset', ['dpms', '0', '0', '0'], env, signal);
            if (!still.ok) return still;
            const set = await runTool('xset', ['dpms', 'force', powered ? 'on' : 'off'], env, signal);
            return set.ok ? ok(null) : set;
          },
        },
      ]);
    }),
});
