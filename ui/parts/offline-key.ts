import type { StatusDocument } from '#machines/status.ts';

/** What the offline page is drawn from; it is redrawn whenever this differs. */
export function offlineKey({ renderer, home_presence: presence, entity_filter: filter }: StatusDocument): string {
  const { glass, away, fallback } = renderer ?? {};
  const isStarting = presence?.evidence.includes('says-starting');
  return [glass, away?.since, away?.reason, presence?.state, isStarting, fallback?.since, filter?.holding].join(' ');
}
