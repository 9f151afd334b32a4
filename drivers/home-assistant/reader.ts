import type { Connection } from 'home-assistant-js-websocket';

import type { Reading, Topic } from '#machines/home-assistant/events.ts';
import type { EpochMs, Milliseconds } from '#machines/kit/units.ts';

import { type Ask, bounded } from './bounded.ts';
import { entityAfter, statesIn } from './entity-state.ts';
import { statesReading, watchableIds, watchStates } from './states.ts';
import { type End, persist, subscribe, type Watched } from './subscription.ts';
import { type Source, sourceOf } from './topics.ts';

export interface TopicReader {
  /** Reads and watches exactly these from now on. */
  readonly watch: (topics: readonly Topic[]) => void;
  /** Reads those topics again that are watched already, for a new watcher. */
  readonly renew: (topics: readonly Topic[]) => void;
  /** Reads one topic once; null if Home Assistant refused it or did not answer in time. */
  readonly read: (topic: Topic) => Promise<Reading | null>;
  /** Stops watching all topics. */
  readonly stop: () => void;
}

type EntityReading = Extract<Reading, { readonly kind: 'entity' }>;

/** Shortest time between two reads of a topic that changes. */
const READ_PAUSE_MS: Milliseconds = 1000;

function keyOf(topic: Topic): string {
  if (topic.kind === 'entity') return `entity:${topic.entityId}`;
  if (topic.kind === 'light-history') return `light-history:${topic.days}:${topic.entityId}`;
  if (topic.kind === 'states') return `states:${topic.entityIds.join()}`;
  if (topic.kind === 'area-presence') return `area-presence:${topic.identifier}`;
  if (topic.kind === 'state-history') return `state-history:${topic.from}:${topic.to}:${topic.entityIds.join()}`;
  return topic.kind === 'dashboard' ? `dashboard:${topic.path}` : topic.kind;
}

const nothing = (entityId: string): EntityReading => ({
  kind: 'entity',
  entityId,
  state: null,
  deviceClass: null,
  unit: null,
});

/** The reader of one connection; `onReading` is called with the whole of a topic at once and after each change. */
export function reader(
  connection: Connection,
  deps: {
    readonly guard: <A extends unknown[]>(fn: (...args: A) => void) => (...args: A) => void;
    readonly onReading: (reading: Reading) => void;
    readonly now: () => EpochMs;
    readonly areaPauseMs?: Milliseconds;
  },
): TopicReader {
  const watched = new Map<string, Watched>();

  const ask: Ask = (command) => bounded(connection.sendMessagePromise({ ...command }));
  /** Current states of entities; null if Home Assistant does not answer in time. */
  const statesOf = async (entityIds: readonly string[]): Promise<Readonly<Record<string, string>> | null> => {
    let end: End = () => {};
    const first = await bounded(
      new Promise<unknown>((resolve) => {
        end = subscribe(() =>
          connection.subscribeMessage(deps.guard(resolve), { type: 'subscribe_entities', entity_ids: entityIds }),
        );
      }),
    );
    end();
    return first.ok ? statesIn(first.value) : null;
  };
  const watchSource = ({ read, changes, pauseMs }: Source): Watched => {
    let live = true;
    let reading = false;
    let again = false;
    let stopReading: End = () => {};
    /** Where reads are rare: what was read last, for a new watcher. */
    let last: Reading | null = null;
    /** While it runs, a read that a change asks for waits for its end. */
    let pause: ReturnType<typeof setTimeout> | undefined;
    let isDue = false;
    // One at a time: a registry that is being filled reports each row.
    const refresh = (): void => {
      again = reading;
      if (!live || reading) return;
      stopReading();
      stopReading = persist(async () => {
        reading = true;
        const now = await read(ask, statesOf, deps.now());
        reading = false;
        if (!live) return true;
        if (now !== null) deps.onReading(now);
        if (pauseMs !== undefined) last = now ?? last;
        if (!again) return now !== null;
        refresh();
        return true;
      });
    };
    /** Keeps a registry that is being filled from being read for each row. */
    const refreshLater = (): void => {
      isDue = pause !== undefined;
      if (isDue) return;
      pause = setTimeout(() => {
        pause = undefined;
        if (isDue) refreshLater();
      }, pauseMs ?? READ_PAUSE_MS);
      refresh();
    };
    let isBegun = false;
    const onChange = (concerns: (event: unknown) => boolean) =>
      deps.guard((event: unknown) => {
        if (concerns(event)) refreshLater();
      });
    const ends = changes.map(({ event, concerns }) =>
      subscribe(() => {
        const made = connection.subscribeEvents(onChange(concerns), event);
        if (isBegun) refresh();
        return made;
      }),
    );
    // After the subscriptions, so that no change is lost in between.
    isBegun = true;
    // Where reads are rare, the first one counts as well.
    if (pauseMs === undefined) refresh();
    else refreshLater();
    return {
      renew: () => {
        if (pauseMs === undefined) refresh();
        else if (last !== null) deps.onReading(last);
      },
      end: () => {
        live = false;
        clearTimeout(pause);
        stopReading();
        for (const end of ends) end();
      },
    };
  };
  const watchEntity = (entityId: string, onReading: (reading: EntityReading) => void): Watched => {
    let live = true;
    let last: EntityReading | null = null;
    const end = subscribe(() =>
      connection.subscribeMessage(
        deps.guard((event: unknown) => {
          const next = entityAfter(entityId, last ?? nothing(entityId), event);
          if (!live || (next === null && last !== null)) return;
          last = next ?? nothing(entityId);
          onReading(last);
        }),
        { type: 'subscribe_entities', entity_ids: [entityId] },
      ),
    );
    return {
      renew: () => {
        if (last !== null) onReading(last);
      },
      end: () => {
        live = false;
        end();
      },
    };
  };
  const listenTo = (entityIds: readonly string[], onEvent: (event: unknown) => void): End =>
    subscribe(() =>
      connection.subscribeMessage(deps.guard(onEvent), { type: 'subscribe_entities', entity_ids: entityIds }),
    );
  const readStates = async (entityIds: readonly string[]): Promise<Reading | null> => {
    const wanted = watchableIds(entityIds);
    const states = wanted.length === 0 ? {} : await statesOf(wanted);
    return states && statesReading(entityIds, (id) => (Object.hasOwn(states, id) ? states[id] : null));
  };
  const begin = (topic: Topic): Watched => {
    if (topic.kind === 'entity') return watchEntity(topic.entityId, deps.onReading);
    if (topic.kind === 'states') return watchStates(topic.entityIds, listenTo, deps.onReading);
    return watchSource(sourceOf(topic, deps.areaPauseMs));
  };
  /** Watches exactly these, by their keys. */
  const watch = (wanted: ReadonlyMap<string, Topic>): void => {
    for (const [key, { end }] of watched) {
      if (wanted.has(key)) continue;
      watched.delete(key);
      end();
    }
    for (const [key, topic] of wanted) if (!watched.has(key)) watched.set(key, begin(topic));
  };

  return {
    watch: (topics) => watch(new Map(topics.map((topic) => [keyOf(topic), topic]))),
    renew: (topics) => {
      for (const topic of topics) watched.get(keyOf(topic))?.renew();
    },
    read: async (topic) => {
      if (topic.kind === 'states') return readStates(topic.entityIds);
      if (topic.kind !== 'entity') return sourceOf(topic).read(ask, statesOf, deps.now());
      let end: End = () => {};
      const first = await bounded(
        new Promise<EntityReading>((resolve) => {
          ({ end } = watchEntity(topic.entityId, resolve));
        }),
      );
      end();
      return first.ok ? first.value : null;
    },
    stop: () => watch(new Map()),
  };
}
