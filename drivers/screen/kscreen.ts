import { runTool, type ToolEnv } from '#drivers/kit/run-tool.ts';
import { ok, refuse } from '#machines/kit/result.ts';

import { compositorRoute } from './compositor-outputs.ts';
import type { DisplayRoute } from './route.ts';
import type { Sessions } from './sessions.ts';

/**
 * Parses `kscreen-doctor --dpms show`, one line per output: `dpms mode for screen DP-1: on`. Standby and suspend count
 * as off.
 */
export const parseKscreen = (text: string): ReadonlyMap<string, boolean> =>
  new Map(
    [...text.matchAll(/^dpms mode for screen (\S+): (on|off|standby|suspend)\s*$/gm)].map((match) => [
      match[1] ?? '',
      match[2] === 'on',
    ]),
  );

// Without an explicit platform the tool tries an X server first.
const onWayland = (env: ToolEnv): ToolEnv => ({ ...env, QT_QPA_PLATFORM: 'wayland' });

/** Switches outputs through KDE's compositor. */
export const kscreenRoute = (sessions: Sessions): DisplayRoute =>
  compositorRoute(
    {
      route: 'kscreen',
      pollMs: 5000,
      list: async (env, signal) => {
        const text = await runTool('kscreen-doctor', ['--dpms', 'show'], onWayland(env), signal);
        if (!text.ok) return text;
        const outputs = parseKscreen(text.value);
        return outputs.size === 0 ? refuse('not-understood', 'kscreen-doctor shows no output.') : ok(outputs);
      },
      power: ({ powered, others }, env, signal) => {
        const excluded = others.flatMap((other) => ['--dpms-excluded', other]);
        return runTool('kscreen-doctor', ['--dpms', powered ? 'on' : 'off', ...excluded], onWayland(env), signal);
      },
    },
    sessions,
  );
