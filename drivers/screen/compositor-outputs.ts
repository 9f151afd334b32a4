import type { ToolEnv } from '#drivers/kit/run-tool.ts';
import { ok, refuse, type Result } from '#machines/kit/result.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import type { DisplayRoute, RouteRefusal, RouteTarget } from './route.ts';
import { inSession, type Sessions } from './sessions.ts';

/** Time limit of one switch with its read-back. */
const ANSWER_MS: Milliseconds = 6000;

/** A compositor's tool that lists outputs and switches their power. */
export interface OutputTool {
  readonly route: 'wlopm' | 'kscreen';
  readonly pollMs: Milliseconds;
  /** Every output by its connector; true if it is lit. */
  readonly list: (env: ToolEnv, signal: AbortSignal) => Promise<Result<ReadonlyMap<string, boolean>, RouteRefusal>>;
  /** Switches one output; `others` are the connectors of the rest. */
  readonly power: (
    output: { readonly connector: string; readonly powered: boolean; readonly others: readonly string[] },
    env: ToolEnv,
    signal: AbortSignal,
  ) => Promise<Result<unknown, RouteRefusal>>;
}

/** Switches outputs through a compositor, in the session that it runs in. */
export const compositorRoute = ({ route, pollMs, list, power }: OutputTool, sessions: Sessions): DisplayRoute => ({
  name: route,
  list: (signal) =>
    inSession(sessions, 'wayland', async (env): Promise<Result<readonly RouteTarget[], RouteRefusal>> => {
      const found = await list(env, signal);
      if (!found.ok) return found;
      const connectors = [...found.value.keys()];
      return ok(
        connectors.map((connector): RouteTarget => ({
          route,
          connector,
          name: connector,
          rawMax: null,
          power: true,
          pollMs,
          answerMs: ANSWER_MS,
          read: async () => {
            const now = await list(env, signal);
            if (!now.ok) return now;
            const powered = now.value.get(connector);
            return powered === undefined
              ? refuse('gone', 'The compositor has no such output.')
              : ok({ raw: null, powered });
          },
          write: async ({ powered }) => {
            if (powered === null) return ok(null);
            const others = connectors.filter((other) => other !== connector);
            const set = await power({ connector, powered, others }, env, signal);
            return set.ok ? ok(null) : set;
          },
        })),
      );
    }),
});
