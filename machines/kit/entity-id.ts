/** Form of an entity's id in Home Assistant (its own `valid_entity_id`), and its longest, in characters. */
export const ENTITY_ID = /^[a-z0-9_]+\.[a-z0-9_]+$/;
export const ENTITY_ID_LENGTH = 255;

/** Whether something is the id of an entity, as a whole. */
export const isEntityId = (id: unknown): id is string =>
  typeof id === 'string' && id.length <= ENTITY_ID_LENGTH && ENTITY_ID.test(id);
