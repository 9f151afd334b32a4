/** Form of an entity id in Home Assistant (its own `valid_entity_id`), and its maximum length in characters. */
export const ENTITY_ID = /^[a-z0-9_]+\.[a-z0-9_]+$/;
export const ENTITY_ID_LENGTH = 255;

/** True if the whole value is an entity id. */
export const isEntityId = (id: unknown): id is string =>
  typeof id === 'string' && id.length <= ENTITY_ID_LENGTH && ENTITY_ID.test(id);
