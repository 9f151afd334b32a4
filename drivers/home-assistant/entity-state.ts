import { fieldsOf, textOf } from '#drivers/kit/json-fields.ts';
import type { Reading } from '#machines/home-assistant/events.ts';

/** Longest state of an entity, in characters (Home Assistant's own bound). */
const STATE_LENGTH = 255;

/**
 * An entity's state after an event of `subscribe_entities`, whose short keys are `a` added, `c` changed, `r` removed.
 * Null if the event does not mention the entity.
 */
export function entityAfter(
  entityId: string,
  before: Extract<Reading, { readonly kind: 'entity' }>,
  event: unknown,
): Extract<Reading, { readonly kind: 'entity' }> | null {
  const { a: added, c: changed, r: removed } = fieldsOf(event);
  if (Array.isArray(removed) && removed.includes(entityId))
    return { kind: 'entity', entityId, state: null, deviceClass: null, unit: null };
  const whole = fieldsOf(added)[entityId];
  const part = fieldsOf(fieldsOf(changed)[entityId])['+'];
  if (whole === undefined && part === undefined) return null;
  const { s: state, a: attributes } = fieldsOf(whole ?? part);
  const { device_class: deviceClass, unit_of_measurement: unit } = fieldsOf(attributes);
  return {
    kind: 'entity',
    entityId,
    state: typeof state === 'string' ? state.slice(0, STATE_LENGTH) : before.state,
    deviceClass: textOf(deviceClass) ?? (whole === undefined ? before.deviceClass : null),
    unit: textOf(unit) ?? (whole === undefined ? before.unit : null),
  };
}

/** The states in the first event of `subscribe_entities`, by entity id. */
export const statesIn = (event: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fieldsOf(fieldsOf(event)['a'])).flatMap(([id, entity]) => {
      const { s: state } = fieldsOf(entity);
      return typeof state === 'string' ? [[id, state.slice(0, STATE_LENGTH)]] : [];
    }),
  );
