import { runTool } from '#drivers/kit/run-tool.ts';
import { ok, refuse, type Result } from '#machines/kit/result.ts';

import type { DisplayRoute, RouteRefusal, RouteTarget } from './route.ts';
import { inSession, type Sessions } from './sessions.ts';

/** What `wlopm` prints: one output per line with `on` or `off`; null where a line is something else. */
export const parseWlopm = (text: string): ReadonlyMap<string, boolean> | null => {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const outputs = lines.map((line) => /^(\S+) (on|off)\s*$/.exec(line));
  return outputs.some((match) => match === null)
    ? null
    : new Map(outputs.map((match) => [match?.[1] ?? '', match?.[2] === 'on']));
};

/** Output power by the compositor (wlr-output-power-management: sway, labwc, wayfire, river). */
export const wlopmRoute = (sessions: Sessions): DisplayRoute => ({
  name: 'wlopm',
  list: (signal) =>
    inSession(sessions, 'wayland', async (env): Promise<Result<readonly RouteTarget[], RouteRefusal>> => {
      const list = async (): Promise<Result<ReadonlyMap<string, boolean>, RouteRefusal>> => {
        const text = await runTool('wlopm', [], env, signal);
        if (!text.ok) return text;
        const outputs = parseWlopm(text.value);
        return outputs === null ? refuse('not-understood', 'wlopm said something unexpected.') : ok(outputs);
      };
      const found = await list();
      if (!found.ok) return found;
      return ok(
        [...found.value.keys()].map((connector): RouteTarget => ({
          route: 'wlopm',
          connector,
          name: connector,
          rawMax: null,
          power: true,
          pollMs: 2000,
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
            const set = await runTool('wlopm', [powered ? '--on' : '--off', connector], env, signal);
            return set.ok ? ok(null) : set;
          },
        })),
      );
    }),
});
