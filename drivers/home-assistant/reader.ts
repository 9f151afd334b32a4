import type { Connection } from 'home-assistant-js-websocket';

import type { Reading, Topic } from '#machines/home-assistant/events.ts';
import { type Backoff, backoffDelay } from '#machines/kit/backoff.ts';

import type { Milliseconds } from '#machines/kit/units.ts';

import { type Ask, bounded } from './bounded.ts';
import { entityAfter, statesIn } from './entity-state.ts';
import { type Source, sourceOf } from './topics.ts';

/** Reads topics of Home Assistant over one connection. */
export interface TopicReader {
  /** Reads and watches exactly these from now on. */
  readonly watch: (topics: readonly Topic[]) => void;
  /** Reads out again those of these that are watched already: somebody else watches them, too. */
  readonly renew: (topics: readonly Topic[]) => void;
  /** Reads one topic once; null where Home Assistant refused it or did not answer in time. */
  readonly read: (topic: Topic) => Promise<Reading | null>;
  /** Watches nothing any more. */
  readonly stop: () => void;
}

type EntityReading = Extract<Reading, { readonly kind: 'entity' }>;
type End = () => void;

/** A topic that is watched. */
interface Watched {
  readonly end: End;
  /** Reads it out again. */
  readonly renew: () => void;
}

/** Wait before a read or a subscription that failed is tried again: 5 s doubled to 5 min. */
const retryBackoff: Backoff = { firstMs: 5000, capMs: 300_000, jitter: 0 };

/** Shortest time from one read of a topic that Home Assistant tells a change of to the next. */
const READ_PAUSE_MS: Milliseconds = 1000;

/** Tries until `attempt`, which never rejects, comes to true; the returned function ends that. */
function persist(attempt: () => Promise<boolean>): End {
  let live = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = async (tries: number): Promise<void> => {
    if ((await attempt()) || !live) return;
    timer = setTimeout(() => void run(tries + 1), backoffDelay(retryBackoff, tries, 0));
  };
  void run(1);
  return () => {
    live = false;
    clearTimeout(timer);
  };
}

/** Keeps a subscription; the returned function ends it, also one that is granted only afterwards. */
function subscribe(start: () => Promise<() => Promise<void>>): End {
  let release: End = () => {};
  const stop = persist(() => {
    const made = start();
    release = () =>
      void made.then(
        (unsubscribe) => bounded(unsubscribe()),
        () => {},
      );
    return made.then(
      () => true,
      () => false,
    );
  });
  return () => {
    stop();
    release();
  };
}

/** The same text for the same topic. */
function keyOf(topic: Topic): string {
  if (topic.kind === 'entity') return `entity:${topic.entityId}`;
  return topic.kind === 'dashboard' ? `dashboard:${topic.path}` : topic.kind;
}

const nothing = (entityId: string): EntityReading => ({
  kind: 'entity',
  entityId,
  state: null,
  deviceClass: null,
  unit: null,
});

/** The reader of one connection; `onReading` gets the whole of a topic at once and after each change. */
export function reader(
  connection: Connection,
  deps: {
    readonly guard: <A extends unknown[]>(fn: (...args: A) => void) => (...args: A) => void;
    readonly onReading: (reading: Reading) => void;
  },
): TopicReader {
  const watched = new Map<string, Watched>();

  const ask: Ask = (command) => bounded(connection.sendMessagePromise({ ...command }));
  /** The states of entities as they are now; null where Home Assistant does not answer in time. */
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
  const watchSource = ({ read, changes }: Source): Watched => {
    let live = true;
    let reading = false;
    let again = false;
    let stopReading: End = () => {};
    /** While it runs a read that a change asks for waits for its end. */
    let pause: ReturnType<typeof setTimeout> | undefined;
    let isDue = false;
    // One at a time: a registry that is being filled says so for each row.
    const refresh = (): void => {
      again = reading;
      if (!live || reading) return;
      stopReading();
      stopReading = persist(async () => {
        reading = true;
        const now = await read(ask, statesOf);
        reading = false;
        if (!live) return true;
        if (now !== null) deps.onReading(now);
        if (!again) return now !== null;
        refresh();
        return true;
      });
    };
    /** A registry of thousands that is being filled is not read for each row. */
    const refreshLater = (): void => {
      isDue = pause !== undefined;
      if (isDue) return;
      pause = setTimeout(() => {
        pause = undefined;
        if (isDue) refreshLater();
      }, READ_PAUSE_MS);
      refresh();
    };
    let isBegun = false;
    const heard = (concerns: (event: unknown) => boolean) =>
      deps.guard((event: unknown) => {
        if (concerns(event)) refreshLater();
      });
    const ends = changes.map(({ event, concerns }) =>
      subscribe(() => {
        const made = connection.subscribeEvents(heard(concerns), event);
        if (isBegun) refresh();
        return made;
      }),
    );
    // After its subscriptions, so that no change falls between the two.
    isBegun = true;
    refresh();
    return {
      renew: refresh,
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
  const begin = (topic: Topic): Watched => {
    if (topic.kind === 'entity') return watchEntity(topic.entityId, deps.onReading);
    return watchSource(sourceOf(topic));
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
      if (topic.kind !== 'entity') return sourceOf(topic).read(ask, statesOf);
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
