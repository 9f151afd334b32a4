import type { Device, RegisteredEntity } from '../home-assistant/events.ts';

/** The screen is what an owner recognises first. */
const rank = (entityId: string): number => (/^light\..*screen/.test(entityId) ? 0 : 1);

/**
 * The entity of this panel that Home Assistant lists first, `light.hall_screen`; null while it lists none. The device
 * is known by the identifier that was announced over MQTT, `sconce_hall`: an owner may have renamed everything.
 */
export const firstEntity = (
  identifier: string,
  devices: readonly Device[],
  entities: readonly RegisteredEntity[],
): string | null => {
  const device = devices.find(({ identifiers }) =>
    identifiers.some(([domain, id]) => domain === 'mqtt' && id === identifier),
  );
  if (device === undefined) return null;
  const ids = entities.filter(({ deviceId }) => deviceId === device.id).map(({ entityId }) => entityId);
  return ids.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))[0] ?? null;
};
