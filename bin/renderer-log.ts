import type { RendererContext } from '#machines/renderer/events.ts';
import { phaseOf } from '#machines/renderer/phase.ts';
import type { Registry } from '#actors/kit/registry.ts';
import type { Logger } from '#drivers/log/logger.ts';
import { dashboardWords, restartWords, unwantedRestarts } from './log-words.ts';

/**
 * Logs the state of the dashboard in words and codes only: its phase, reloads with their reasons, and when Home
 * Assistant is unreachable.
 */
export function logRenderer(registry: Registry, log: Logger): (() => void)[] {
  let wasUnreachable = false;
  let newest: RendererContext['restarts'][number] | undefined;
  return [
    registry.follow(
      'renderer',
      // Until it is known if the panel shows a dashboard, its phase is not logged.
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
