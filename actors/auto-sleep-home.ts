import type { Reading, Topic } from '#machines/home-assistant/events.ts';

import type { Registry } from './kit/registry.ts';

/** The name under which topics of Home Assistant are watched. */
const WATCHER = 'auto-sleep';

/** One that wants topics of Home Assistant. */
interface HomeClient {
  /** What it wants now; read again after `renew`. */
  readonly topics: () => readonly Topic[];
  readonly onReading: (reading: Reading) => void;
  /** Called at once, and after each connection that ended or was made; what was read before may be out of date. */
  readonly onLink: (isLive: boolean) => void;
}

interface HomeMembership {
  /** Its topics have changed. */
  readonly renew: () => void;
  readonly end: () => void;
}

interface HomeWatch {
  readonly join: (client: HomeClient) => HomeMembership;
}

/** One watch with the topics of all clients, as long as there is one. */
function openWatch(registry: Registry): HomeWatch {
  const clients = new Set<HomeClient>();
  let ends: readonly (() => void)[] = [];
  /** The topics as they were sent last, to this run of the connection's part. */
  let sent = '';
  let isScheduled = false;
  let isThere = false;
  let route: number | null = null;

  const send = (): void => {
    const topics = [...clients].flatMap((client) => client.topics());
    const next = topics.length === 0 ? '' : JSON.stringify(topics);
    if (!isThere || next === sent) return;
    sent = next;
    registry.tell('home-assistant', { type: 'home-assistant.watch', watcher: WATCHER, topics });
  };
  const open = (): void => {
    ends = [
      // Before the watch, whose answer may come at once.
      registry.listen('home-assistant', 'home-assistant.read-out', ({ reading }) => {
        for (const client of clients) client.onReading(reading);
      }),
      registry.follow(
        'home-assistant',
        (snapshot) => (snapshot === undefined ? null : { number: snapshot.context.route?.number ?? null }),
        (found) => {
          // After a restart it has forgotten its watchers.
          if (found === null) sent = '';
          isThere = found !== null;
          const now = found?.number ?? null;
          const before = route;
          route = now;
          if (now !== before) for (const client of clients) client.onLink(now !== null);
          send();
        },
      ),
    ];
  };
  const close = (): void => {
    for (const end of ends) end();
    ends = [];
    route = null;
    isThere = false;
    sent = '';
  };
  /** After what runs now, so that a watch that is ended and begun again keeps its connection. */
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(() => {
      isScheduled = false;
      send();
      if (clients.size === 0) close();
    });
  };
  return {
    join: (client) => {
      clients.add(client);
      if (ends.length === 0) open();
      client.onLink(route !== null);
      schedule();
      return {
        renew: schedule,
        end: () => {
          clients.delete(client);
          schedule();
        },
      };
    },
  };
}

const watches = new WeakMap<Registry, HomeWatch>();

/** The one watch of Home Assistant that all of automatic sleep shares; without clients it costs nothing. */
export function homeWatch(registry: Registry): HomeWatch {
  const known = watches.get(registry);
  if (known !== undefined) return known;
  const made = openWatch(registry);
  watches.set(registry, made);
  return made;
}
