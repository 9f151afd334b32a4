import type { RendererContext } from '#machines/renderer/events.ts';
import type { Registry } from '#actors/kit/registry.ts';
import type { Logger } from '#drivers/log/logger.ts';

/**
 * Puts what becomes of the dashboard into the log, in codes alone: where the renderer stands, what was loaded anew and
 * why, and when the platform is away.
 */
export const logRenderer = (registry: Registry, log: Logger): (() => void)[] => {
  let awayBefore = false;
  let newest: RendererContext['restarts'][number] | undefined;
  return [
    registry.follow(
      'renderer',
      (snapshot) => snapshot?.context.phase ?? null,
      (phase) => {
        if (phase !== null) log.info('dashboard', { phase });
      },
    ),
    registry.follow(
      'renderer',
      (snapshot) => snapshot?.context.away?.reason ?? null,
      (reason) => {
        if (reason !== null) log.warn('platform away from the dashboard', { reason });
        else if (awayBefore) log.info('platform back at the dashboard');
        awayBefore = reason !== null;
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
        for (const { reason } of fresh) log.warn('dashboard loaded anew', { reason });
      },
      (a, b) => a === b,
    ),
  ];
};
