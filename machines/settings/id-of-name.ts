import { panelSlug } from '../kit/panel-slug.ts';
import type { Configuration } from './merge.ts';

/** True if Home Assistant was told of this panel, but never by that id: it would be another device under it. */
function isKnownByAnother(announced: unknown, id: string): boolean {
  if (typeof announced !== 'object' || announced === null || !('devices' in announced)) return false;
  const devices: readonly unknown[] = Array.isArray(announced.devices) ? announced.devices : [];
  const isIt = (one: unknown): boolean =>
    typeof one === 'object' && one !== null && 'panelId' in one && one.panelId === id;
  return devices.length > 0 && !devices.some(isIt);
}

/**
 * The panel id of a name that the command line gives, made as the set-up makes it. Null if the id has to stay: it was
 * chosen, the panel had a name before, or a broker or Home Assistant knows the panel by another id. `announced` is the
 * stored section of what was announced.
 */
export function idOfName(name: string, { values }: Configuration, announced: unknown): string | null {
  const [id, before, broker] = ['panel_id', 'friendly_name', 'mqtt_broker'].map((key) => String(values[key] ?? ''));
  const isMade = id === panelSlug(before ?? '');
  const made = panelSlug(name);
  return made !== '' && isMade && broker === '' && !isKnownByAnother(announced, made) ? made : null;
}
