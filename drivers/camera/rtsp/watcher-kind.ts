import type { WatcherKind } from '#machines/camera-session/events.ts';

/**
 * Kind of a client by the `User-Agent` of its requests. Home Assistant's streams come from FFmpeg's library, whose name
 * many others send as well: it counts only for the address of the panel's own Home Assistant.
 */
export function watcherKind(userAgent: string, isHome: boolean): WatcherKind {
  const agent = userAgent.toLowerCase();
  if (agent.includes('homeassistant')) return 'home-assistant';
  if (agent.includes('frigate')) return 'frigate';
  if (agent.includes('go2rtc')) return 'go2rtc';
  return isHome && agent.startsWith('lavf') ? 'home-assistant' : 'player';
}
