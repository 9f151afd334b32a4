import type { EntitySurface } from '../kit/entity.ts';
import type { FoundEntity } from './events.ts';

/** Where Home Assistant shows this panel: its device, or while its id is unknown all devices of the integration. */
export function deviceLink(
  homeAssistant: string,
  found: Pick<FoundEntity, 'deviceId'> | null,
  surface: EntitySurface = 'mqtt',
): string | null {
  if (homeAssistant === '' || found === null) return null;
  const origin = homeAssistant.replace(/\/+$/, '');
  return found.deviceId === null
    ? `${origin}/config/integrations/integration/${surface === 'native' ? 'sconce' : 'mqtt'}`
    : `${origin}/config/devices/device/${encodeURIComponent(found.deviceId)}`;
}
