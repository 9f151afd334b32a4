import { runTool } from '#drivers/kit/run-tool.ts';
import { ok, refuse, type Result } from '#machines/kit/result.ts';

import type { DisplayRoute, RouteReading, RouteRefusal, RouteTarget } from './route.ts';
import { inSession, type Sessions } from './sessions.ts';

/** Raw range of the picture's brightness; 100 is the unchanged picture. */
const RAW_MAX = 100;
/** The darkest picture: still readable in a dark room, so that a person can always use the desktop. */
const DARKEST = 5;

/** Parses `xrandr --verbose`: connected outputs with the brightness of their picture in percent. */
export function parseXrandr(text: string): ReadonlyMap<string, number> {
  const outputs = new Map<string, number>();
  let output: string | null = null;
  for (const line of text.split('\n')) {
    const head = /^(\S+) (connected|disconnected)\b/.exec(line);
    if (head !== null) output = head[2] === 'connected' ? (head[1] ?? null) : null;
    const level = /^\s+Brightness:\s+(\d+(?:\.\d+)?)\s*$/.exec(line)?.[1];
    if (output !== null && level !== undefined) outputs.set(output, Math.round(Number(level) * RAW_MAX));
  }
  return outputs;
}

/** Darkens the picture of an X server, per output, if nothing can dim the lamp. The lamp stays on. */
export const dimmingRoute = (sessions: Sessions): DisplayRoute => ({
  name: 'dimming',
  list: (signal) =>
    inSession(sessions, 'x11', async (env): Promise<Result<readonly RouteTarget[], RouteRefusal>> => {
      const list = async (): Promise<Result<ReadonlyMap<string, number>, RouteRefusal>> => {
        const text = await runTool('xrandr', ['--verbose'], env, signal);
        return text.ok ? ok(parseXrandr(text.value)) : text;
      };
      const read = async (connector: string): Promise<Result<RouteReading, RouteRefusal>> => {
        const now = await list();
        if (!now.ok) return now;
        const raw = now.value.get(connector);
        return raw === undefined
          ? refuse('gone', 'The X server has no such output.')
          : ok({ raw: Math.min(raw, RAW_MAX), powered: null });
      };
      const found = await list();
      if (!found.ok) return found;
      // An output without a gamma table reports 0 and cannot be dimmed.
      const usable = [...found.value].filter(([, raw]) => raw > 0).map(([connector]) => connector);
      if (usable.length === 0) return refuse('nothing-there', 'No output of this X server can dim its picture.');
      return ok(
        usable.map((connector): RouteTarget => ({
          route: 'dimming',
          connector,
          name: connector,
          rawMax: RAW_MAX,
          rawMin: DARKEST,
          power: false,
          pollMs: null,
          answerMs: 6000,
          read: () => read(connector),
          write: async ({ raw }) => {
            if (raw === null) return ok(null);
            const level = Math.max(DARKEST, Math.min(RAW_MAX, raw)) / RAW_MAX;
            const set = await runTool('xrandr', ['--output', connector, '--brightness', level.toFixed(2)], env, signal);
            return set.ok ? ok(null) : set;
          },
        })),
      );
    }),
});
