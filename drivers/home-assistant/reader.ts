import type { Connection } from 'home-assistant-js-websocket';

import type { Reading, Topic } from '#machines/home-assistant/events.ts';

import { bounded } from './bounded.ts';
import { entityAfter, listOf } from './topics.ts';

/** Reads topics of Home Assistant over one connection. */
export interface TopicReader {
  /** Reads and watches exactly these from now on. */
  readonly watch: (topics: readonly Topic[]) => void;
  /** Reads one topic once; null where Home Assistant refused it or did not answer in time. */
  readonly read: (topic: Topic) => Promise<Reading | null>;
}

type EntityReading = Extract<Reading, { readonly kind: 'entity' }>;
type End = () => void;

const nothing = (entityId: string): EntityReading => ({
  kind: 'entity',
  entityId,
  state: null,
  deviceClass: null,
  unit: null,
});

/** The reader of one connection; `onReading` gets the whole of a topic at once and after each change. */
export const reader = (
  connection: Connection,
  deps: {
    readonly guard: <A extends unknown[]>(fn: (...args: A) => void) => (...args: A) => void;
    readonly onReading: (reading: Reading) => void;
  },
): TopicReader => {
  const watched = new Map<string, End>();

  /** Starts a subscription; the returned function ends it, also while it is being made. */
  const subscribe = (start: (live: () => boolean) => Promise<() => Promise<void>>): End => {
    let live = true;
    const made = bounded(start(() => live));
    return () => {
      live = false;
      void made.then((answer) => (answer.ok ? bounded(answer.value()) : undefined));
    };
  };

  const readList = async (topic: Topic): Promise<Reading | null> => {
    const list = listOf(topic);
    if (list === null) return null;
    const answer = await bounded(connection.sendMessagePromise({ type: list.command }));
    return answer.ok ? list.read(answer.value) : null;
  };
  const watchList = (topic: Topic, changed: string): End => {
    let reading = false;
    let again = false;
    // One at a time: a registry that is being filled says so for each row.
    const refresh = async (live: () => boolean): Promise<void> => {
      again = reading;
      if (reading) return;
      reading = true;
      const now = await readList(topic);
      reading = false;
      if (!live()) return;
      if (now !== null) deps.onReading(now);
      if (again) await refresh(live);
    };
    return subscribe((live) => {
      const take = deps.guard(() => void refresh(live));
      take();
      return connection.subscribeEvents(take, changed);
    });
  };
  const watchEntity = (entityId: string, onReading: (reading: EntityReading) => void): End => {
    let last = nothing(entityId);
    let first = true;
    return subscribe((live) =>
      connection.subscribeMessage(
        deps.guard((event: unknown) => {
          const next = entityAfter(entityId, last, event);
          if (!live() || (next === null && !first)) return;
          first = false;
          last = next ?? last;
          onReading(last);
        }),
        { type: 'subscribe_entities', entity_ids: [entityId] },
      ),
    );
  };
  const begin = (topic: Topic): End => {
    if (topic.kind === 'entity') return watchEntity(topic.entityId, deps.onReading);
    return watchList(topic, listOf(topic)?.changed ?? '');
  };

  return {
    watch: (topics) => {
      const wanted = new Map(topics.map((topic) => [JSON.stringify(topic), topic]));
      for (const [key, end] of watched) {
        if (wanted.has(key)) continue;
        watched.delete(key);
        end();
      }
      for (const [key, topic] of wanted) if (!watched.has(key)) watched.set(key, begin(topic));
    },
    read: async (topic) => {
      if (topic.kind !== 'entity') return readList(topic);
      let end: End = () => {};
      const first = await bounded(
        new Promise<EntityReading>((resolve) => {
          end = watchEntity(topic.entityId, resolve);
        }),
      );
      end();
      return first.ok ? first.value : null;
    },
  };
};
