import { type Fields, fieldsOf, textOf } from '#drivers/kit/json-fields.ts';
import type { OwnDevice } from '#machines/home-assistant/events.ts';

import type { Ask } from './bounded.ts';
import { deviceOf, entityOf, rowsOf } from './rows.ts';

/** States by entity id, without entities that have none. Null without an answer. */
export type StatesOf = (entityIds: readonly string[]) => Promise<Readonly<Record<string, string>> | null>;

/** Most entities of a panel whose states are read. */
const STATES = 64;
/** Prefix of the repair issue of an MQTT integration whose password the broker refused (seen with 2026.11). */
const PASSWORD_ISSUE = 'config_entry_reauth_mqtt_';

const isOfMqtt = (device: Fields): boolean =>
  deviceOf(device).some(({ identifiers }) => identifiers.some(([domain]) => domain === 'mqtt'));

/** True for the panel's own device, whichever integration made it. */
export const isOwnDevice = (identifiers: readonly (readonly string[])[], identifier: string): boolean =>
  identifiers.some(([domain, id]) => (domain === 'mqtt' || domain === 'sconce') && id === identifier);

const isOf = (device: Fields, identifier: string): boolean =>
  deviceOf(device).some(({ identifiers }) => isOwnDevice(identifiers, identifier));

const isDisabledByEntry = (device: Fields | undefined): boolean => device?.['disabled_by'] === 'config_entry';

/** True if the integration waits for the broker's password; every account may read that. */
async function waitsForPassword(ask: Ask): Promise<boolean> {
  const answer = await ask({ type: 'repairs/list_issues' });
  const issues = answer.ok ? fieldsOf(answer.value)['issues'] : [];
  return (
    rowsOf(issues, (row) => (textOf(row['issue_id'])?.startsWith(PASSWORD_ISSUE) === true ? [row] : [])).length > 0
  );
}

/** True if an MQTT integration was loaded in this run of Home Assistant, or if that is unknown. */
async function isLoaded(ask: Ask): Promise<boolean> {
  const config = await ask({ type: 'get_config' });
  const components = config.ok ? fieldsOf(config.value)['components'] : null;
  return !Array.isArray(components) || components.includes('mqtt');
}

/**
 * What Home Assistant shows of the device with this identifier; null without an answer. Known entities are checked
 * first: the lists of a large house are read only if none of those is live. Every account may ask all of this (seen
 * with 2026.11).
 */
export async function readOwnDevice(
  { identifier, known }: { readonly identifier: string; readonly known: readonly string[] },
  ask: Ask,
  statesOf: StatesOf,
): Promise<OwnDevice | null> {
  const liveOf = async (entityIds: readonly string[]): Promise<readonly string[] | null> => {
    const states = entityIds.length === 0 ? {} : await statesOf(entityIds.slice(0, STATES));
    return states && Object.entries(states).flatMap(([id, state]) => (state === 'unavailable' ? [] : [id]));
  };
  const found = (
    state: OwnDevice['state'],
    entityIds: readonly string[],
    integration: OwnDevice['integration'],
    deviceId: string | null = null,
  ): OwnDevice => ({ kind: 'own-device', identifier, state, deviceId, entityIds, integration });

  const stillLive = await liveOf(known);
  if (stillLive === null) return null;
  if (stillLive.length > 0) return found('live', known, 'present');
  const devices = await ask({ type: 'config/device_registry/list' });
  if (!devices.ok) return null;
  const [own] = rowsOf(devices.value, (row) => (isOf(row, identifier) ? [row] : []));
  if (own === undefined) {
    const ofMqtt = rowsOf(devices.value, (row) => (isOfMqtt(row) ? [row] : []));
    if (ofMqtt.length > 0 && ofMqtt.every(isDisabledByEntry)) return found('absent', [], 'disabled');
    if (await waitsForPassword(ask)) return found('absent', [], 'waits-for-password');
    return found('absent', [], (await isLoaded(ask)) ? 'present' : 'absent');
  }
  if (isDisabledByEntry(own)) return found('disabled', [], 'disabled');
  if (typeof own['disabled_by'] === 'string') return found('disabled', [], 'present');
  const entities = await ask({ type: 'config/entity_registry/list' });
  if (!entities.ok) return null;
  const entityIds = rowsOf(entities.value, (row) =>
    row['device_id'] === own['id'] && row['disabled_by'] == null ? entityOf(row) : [],
  ).map(({ entityId }) => entityId);
  const liveNow = await liveOf(entityIds);
  if (liveNow === null) return null;
  const live = new Set(liveNow);
  const liveFirst = entityIds.toSorted((a, b) => Number(live.has(b)) - Number(live.has(a)));
  if (live.size > 0) return found('live', liveFirst, 'present', textOf(own['id']));
  return found('unavailable', entityIds, (await waitsForPassword(ask)) ? 'waits-for-password' : 'present');
}
