import { fieldsOf } from '#drivers/kit/json-fields.ts';
import type { Reading } from '#machines/home-assistant/events.ts';
import { isEntityId } from '#machines/kit/entity-id.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import { STATE_LENGTH } from './entity-state.ts';
import type { End, Watched } from './subscription.ts';

type StatesReading = Extract<Reading, { readonly kind: 'states' }>;

/** Most entities of one topic. */
const ENTITIES = 32;
/** Shortest time between two read-outs: four a second. */
const READ_OUT_MS: Milliseconds = 250;

/** The first 32 distinct ids; what is no entity id is left out, since Home Assistant would refuse all with it. */
export const watchableIds = (entityIds: readonly string[]): readonly string[] =>
  [...new Set(entityIds)].filter(isEntityId).slice(0, ENTITIES);

/** The reading of these entities, in their order. */
export const statesReading = (
  entityIds: readonly string[],
  stateOf: (entityId: string) => string | null | undefined,
): StatesReading => ({
  kind: 'states',
  states: entityIds.map((entityId) => ({ entityId, state: stateOf(entityId) ?? null })),
});

/**
 * The state that an event of `subscribe_entities` gives an entity, with its short keys: `a` added, `c` changed, `r`
 * removed, `s` the state. Null if it is gone, undefined if the event says nothing of it.
 */
function stateIn(entityId: string, added: unknown, changed: unknown): string | undefined {
  const whole = fieldsOf(added)[entityId];
  const { s: state } = fieldsOf(whole === undefined ? fieldsOf(fieldsOf(changed)[entityId])['+'] : whole);
  return typeof state === 'string' ? state.slice(0, STATE_LENGTH) : undefined;
}

/** Ids that an object of an event may be about. */
const idsIn = (part: unknown): readonly string[] => (part === undefined ? [] : Object.keys(fieldsOf(part)));

/**
 * Watches the states of some entities over one subscription. However fast they change, they are read out at most four
 * times a second: the first change at once, then the newest states. `listen` subscribes.
 */
export function watchStates(
  entityIds: readonly string[],
  listen: (entityIds: readonly string[], onEvent: (event: unknown) => void) => End,
  onReading: (reading: StatesReading) => void,
): Watched {
  const wanted = watchableIds(entityIds);
  const states = new Map<string, string | null>(wanted.map((id) => [id, null]));
  /** The states as they were read out last; null before the first time. */
  let said: ReadonlyMap<string, string | null> | null = null;
  let live = true;
  let pause: ReturnType<typeof setTimeout> | undefined;

  const sayAll = (): void => onReading(statesReading(entityIds, (id) => states.get(id)));
  const isNews = (): boolean => said === null || wanted.some((id) => states.get(id) !== said?.get(id));
  const say = (): void => {
    if (pause !== undefined || !isNews()) return;
    said = new Map(states);
    pause = setTimeout(() => {
      pause = undefined;
      say();
    }, READ_OUT_MS);
    sayAll();
  };
  const take = (event: unknown): void => {
    if (!live) return;
    const { a: added, c: changed, r: removed } = fieldsOf(event);
    for (const id of [...idsIn(added), ...idsIn(changed)]) {
      const state = states.has(id) ? stateIn(id, added, changed) : undefined;
      if (state !== undefined) states.set(id, state);
    }
    for (const id of states.keys()) if (Array.isArray(removed) && removed.includes(id)) states.set(id, null);
    say();
  };
  // An empty list means all entities to Home Assistant.
  const end = wanted.length === 0 ? () => {} : listen(wanted, take);
  if (wanted.length === 0) say();
  return {
    renew: () => {
      if (said !== null) sayAll();
    },
    end: () => {
      live = false;
      clearTimeout(pause);
      end();
    },
  };
}
