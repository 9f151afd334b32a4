import { fieldsOf, textOf } from '#drivers/kit/json-fields.ts';
import type { Reading } from '#machines/home-assistant/events.ts';

/** Longest state of an entity, in characters (Home Assistant's own bound). */
export const STATE_LENGTH = 255;

/** A text attribute after a change: what was added, or else what it was unless it is among the removed. */
function attributeAfter(before: string | null, added: unknown, name: string, removed: unknown): string | null {
  const text = textOf(fieldsOf(added)[name]);
  return text ?? (Array.isArray(removed) && removed.includes(name) ? null : before);
}

/**
 * An entity's state after an event of `subscribe_entities`, whose short keys are `a` added, `c` changed, `r` removed.
 * In a change, `+` is what it has now, and `-` names the attributes that it lost. Null if it is not mentioned.
 */
export function entityAfter(
  entityId: string,
  before: Extract<Reading, { readonly kind: 'entity' }>,
  event: unknown,
): Extract<Reading, { readonly kind: 'entity' }> | null {
  const { a: added, c: changed, r: removed } = fieldsOf(event);
  const absent = { kind: 'entity', entityId, state: null, deviceClass: null, unit: null } as const;
  if (Array.isArray(removed) && removed.includes(entityId)) return absent;
  const whole = fieldsOf(added)[entityId];
  const part = fieldsOf(changed)[entityId];
  if (whole === undefined && part === undefined) return null;
  const { '+': now, '-': lost } = whole === undefined ? fieldsOf(part) : { '+': whole, '-': undefined };
  const { s: state, a: attributes } = fieldsOf(now);
  const { a: names } = fieldsOf(lost);
  const { deviceClass, unit } = whole === undefined ? before : absent;
  return {
    kind: 'entity',
    entityId,
    state: typeof state === 'string' ? state.slice(0, STATE_LENGTH) : before.state,
    deviceClass: attributeAfter(deviceClass, attributes, 'device_class', names),
    unit: attributeAfter(unit, attributes, 'unit_of_measurement', names),
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
