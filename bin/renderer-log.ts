import type { RendererContext } from '#machines/renderer/events.ts';
import { phaseOf } from '#machines/renderer/phase.ts';
import type { Registry } from '#actors/kit/registry.ts';
import type { Logger } from '#drivers/log/logger.ts';
import { dashboardWords, restartWords, unwantedRestarts } from './log-words.ts';

/**
 * Logs what becomes of the dashboard, with codes alone beside the words: its phase, what was loaded again and why, and
 * when Home Assistant is unreachable.
 */
export function logRenderer(registry: Registry, log: Logger): (() => void)[] {
  let wasUnreachable = false;
  let newest: RendererContext['restarts'][number] | undefined;
  return [
    registry.follow(
      'renderer',
      // What a panel that shows no dashboard is said to start before that is known is no news.
      (snapshot) => {
        const phase = snapshot === undefined ? null : phaseOf(snapshot);
        return snapshot?.context.mode === 'none' && phase === 'starting' ? null : phase;
      },
      (phase) => {
        if (phase !== null) log.info(dashboardWords[phase], { phase });
      },
    ),
    registry.follow(
      'renderer',
      (snapshot) => snapshot?.context.unreachable?.reason ?? null,
      (reason) => {
        if (reason !== null) log.warn('Home Assistant cannot be reached for the dashboard.', { reason });
        else if (wasUnreachable) log.info('Home Assistant is back, and the dashboard with it.');
        wasUnreachable = reason !== null;
      },
    ),
    registry.follow(
      'renderer',
      (snapshot) => snapshot?.context.restarts ?? null,
      (restarts) => {
        if (restarts === null) return;
        // Two may come in one step; only the newest twenty are kept.
        const fresh = restarts.slice(newest === undefined ? 0 : restarts.lastIndexOf(newest) + 1);
        newest = restarts.at(-1);
        for (const { reason } of fresh)
          (unwantedRestarts.has(reason) ? log.warn : log.info)(restartWords[reason], { reason });
      },
      (a, b) => a === b,
    ),
  ];
}
