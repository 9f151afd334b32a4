import { runTool } from '#drivers/kit/run-tool.ts';
import { ok, refuse } from '#machines/kit/result.ts';

import { compositorRoute } from './compositor-outputs.ts';
import type { DisplayRoute } from './route.ts';
import type { Sessions } from './sessions.ts';

/** Parses the output of `wlopm`: one output per line with `on` or `off`; null if a line is anything else. */
export function parseWlopm(text: string): ReadonlyMap<string, boolean> | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const outputs = lines.map((line) => /^(\S+) (on|off)\s*$/.exec(line));
  return outputs.some((match) => match === null)
    ? null
    : new Map(outputs.map((match) => [match?.[1] ?? '', match?.[2] === 'on']));
}

/** Switches outputs through the compositor (wlr-output-power-management: sway, labwc, wayfire, river). */
export const wlopmRoute = (sessions: Sessions): DisplayRoute =>
  compositorRoute(
    {
      route: 'wlopm',
      pollMs: 2000,
      list: async (env, signal) => {
        const text = await runTool('wlopm', [], env, signal);
        if (!text.ok) return text;
        const outputs = parseWlopm(text.value);
        return outputs === null ? refuse('not-understood', 'wlopm said something unexpected.') : ok(outputs);
      },
      power: ({ connector, powered }, env, signal) =>
        runTool('wlopm', [powered ? '--on' : '--off', connector], env, signal),
    },
    sessions,
  );
