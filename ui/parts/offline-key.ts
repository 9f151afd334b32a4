import type { StatusDocument } from '#machines/status.ts';
import { hasKeyboard } from './keyboard.ts';

/** What the offline page is drawn from; it is redrawn whenever this differs. */
export function offlineKey(status: StatusDocument): string {
  const { renderer, home_presence: presence, entity_filter: filter } = status;
  const { glass, away, fallback } = renderer ?? {};
  const isStarting = presence?.evidence.includes('says-starting');
  const shown = [glass, away?.since, away?.reason, presence?.state, isStarting, fallback?.since, filter?.holding];
  return [...shown, hasKeyboard(status)].join(' ');
}
