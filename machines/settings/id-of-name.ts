import { panelSlug } from '../kit/panel-slug.ts';
import type { Configuration } from './merge.ts';

/** True if the stored section of what was announced to Home Assistant names a device. */
function hasAnnounced(section: unknown): boolean {
  if (typeof section !== 'object' || section === null || !('devices' in section)) return false;
  return Array.isArray(section.devices) && section.devices.length > 0;
}

/**
 * The panel id of a name that the command line gives, made as the set-up makes it. Null if the id has to stay: it was
 * chosen, the panel had a name before, or a broker or Home Assistant knows the panel by its id. `announced` is the
 * stored section of what was announced.
 */
export function idOfName(name: string, { values }: Configuration, announced: unknown): string | null {
  const [id, before, broker] = ['panel_id', 'friendly_name', 'mqtt_broker'].map((key) => String(values[key] ?? ''));
  const isMade = id === panelSlug(before ?? '');
  const made = panelSlug(name);
  return made !== '' && isMade && broker === '' && !hasAnnounced(announced) ? made : null;
}
