import type { RendererContext } from '#machines/renderer/events.ts';
import type { Registry } from '#actors/kit/registry.ts';
import type { Logger } from '#drivers/log/logger.ts';

/**
 * Logs what becomes of the dashboard, in codes alone: its phase, what was loaded anew and why, and when
 * Home Assistant is away.
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
        if (reason !== null) log.warn('Home Assistant is away from the dashboard', { reason });
        else if (awayBefore) log.info('Home Assistant is back at the dashboard');
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
