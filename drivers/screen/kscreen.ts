import { runTool } from '#drivers/kit/run-tool.ts';
import { ok, refuse, type Result } from '#machines/kit/result.ts';

import type { DisplayRoute, RouteRefusal, RouteTarget } from './route.ts';
import { inSession, type Sessions } from './sessions.ts';

/**
 * What `kscreen-doctor --dpms show` prints of each output: `dpms mode for screen DP-1: on`. Standby and suspend give no
 * light.
 */
export const parseKscreen = (text: string): ReadonlyMap<string, boolean> =>
  new Map(
    [...text.matchAll(/^dpms mode for screen (\S+): (on|off|standby|suspend)\s*$/gm)].map((match) => [
      match[1] ?? '',
      match[2] === 'on',
    ]),
  );

/** Output power by KDE's compositor. */
export const kscreenRoute = (sessions: Sessions): DisplayRoute => ({
  name: 'kscreen',
  list: (signal) =>
    inSession(sessions, 'wayland', async (session): Promise<Result<readonly RouteTarget[], RouteRefusal>> => {
      // Without a platform of its own the tool would try an X server first.
      const env = { ...session, QT_QPA_PLATFORM: 'wayland' };
      const list = async (): Promise<Result<ReadonlyMap<string, boolean>, RouteRefusal>> => {
        const text = await runTool('kscreen-doctor', ['--dpms', 'show'], env, signal);
        if (!text.ok) return text;
        const outputs = parseKscreen(text.value);
        return outputs.size === 0 ? refuse('not-understood', 'kscreen-doctor shows no output.') : ok(outputs);
      };
      const found = await list();
      if (!found.ok) return found;
      const connectors = [...found.value.keys()];
      return ok(
        connectors.map((connector): RouteTarget => ({
          route: 'kscreen',
          connector,
          name: connector,
          rawMax: null,
          power: true,
          pollMs: 5000,
          answerMs: 6000,
          read: async () => {
            const now = await list();
            if (!now.ok) return now;
            const powered = now.value.get(connector);
            return powered === undefined
              ? refuse('gone', 'The compositor has no such output.')
              : ok({ raw: null, powered });
          },
          write: async ({ powered }) => {
            if (powered === null) return ok(null);
            const others = connectors
              .filter((other) => other !== connector)
              .flatMap((other) => ['--dpms-excluded', other]);
            const set = await runTool('kscreen-doctor', ['--dpms', powered ? 'on' : 'off', ...others], env, signal);
            return set.ok ? ok(null) : set;
          },
        })),
      );
    }),
});
