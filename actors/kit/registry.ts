import type { SnapshotView } from '#machines/kit/snapshot.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import { follow, viewOf, watchInstance, type LiveActor, type Whereabouts } from './follow.ts';

/** Whether an event reached a running actor. */
export type SendOutcome = 'delivered' | 'absent';

/** The answer to a question: the reply's outcome, or why there is none. */
export type AskOutcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: 'absent' | 'timeout' | 'ended' };

/** An event for an actor, or one emitted by it. */
export interface NamedEvent {
  readonly type: string;
}

/** How everything outside an actor talks to it: by id, whichever instance is running now. */
export interface Registry {
  /** Sends one event; processed before this returns. */
  readonly tell: (id: string, event: NamedEvent) => SendOutcome;
  /** The actor's state and facts now; undefined while absent. */
  readonly read: <C>(id: string) => SnapshotView<C> | undefined;
  /**
   * Sends the event with a `requestId` of its own and waits for the one emitted `reply` that carries it; never rejects.
   */
  readonly ask: <T>(id: string, event: NamedEvent, timeoutMs: Milliseconds) => Promise<AskOutcome<T>>;
  /** Calls `handler` for each event of that type that the actor emits, across restarts; returns how to stop that. */
  readonly listen: (id: string, type: string, handler: (event: NamedEvent) => void) => () => void;
  /** Calls `onChange` at once and on each change of the selected value, across restarts; returns how to stop that. */
  readonly follow: <T>(
    id: string,
    select: (snapshot: SnapshotView | undefined) => T,
    onChange: (value: T) => void,
    equal?: (a: T, b: T) => boolean,
  ) => () => void;
  /** Every supervised worker, running or not, in start order. */
  readonly ids: () => readonly string[];
}

/** The part of an actor system that the registry uses. */
export interface AddressBook {
  readonly get: (id: string) => unknown;
}

/** What the composition root and the supervisors tell the registry. */
export interface RegistryKeeper {
  /** Connects it to the actor system; before that everything is absent. */
  readonly attach: (system: AddressBook) => void;
  /** A worker of this id is supervised. */
  readonly declared: (id: string) => void;
  /** A new instance of this id exists (it may be about to start). */
  readonly started: (id: string) => void;
  /** The instance of this id has ended. */
  readonly stopped: (id: string) => void;
}

/** The timers that `ask` waits with. */
export interface Timers {
  readonly setTimeout: (fn: () => void, ms: Milliseconds) => unknown;
  readonly clearTimeout: (timer: unknown) => void;
}

/** What a registry can be given; nothing is needed outside tests. */
export interface RegistryOptions {
  readonly timers?: Timers;
  /** Hears of callbacks of `listen` and `follow` that threw. */
  readonly report?: (error: unknown) => void;
}

const realTimers: Timers = {
  setTimeout: (fn, ms) => setTimeout(fn, ms),
  // Made by the function above.
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

const isRunning = (actor: LiveActor): boolean => {
  try {
    const snapshot = actor.getSnapshot();
    return typeof snapshot === 'object' && snapshot !== null && 'status' in snapshot && snapshot.status === 'active';
  } catch {
    // XState throws while the actor is still being made.
    return false;
  }
};

/** The one place that looks actors up by their id. */
export const createRegistry = (options: RegistryOptions = {}): Registry & RegistryKeeper => {
  const timers = options.timers ?? realTimers;
  const report = options.report ?? (() => {});
  const known = new Set<string>();
  const lives = new Map<string, Set<() => void>>();
  let book: AddressBook | undefined;
  let requests = 0;

  const locate = (id: string): LiveActor | undefined => {
    // XState types what is registered under a systemId as any actor; all of them have this shape.
    const actor = book?.get(id) as LiveActor | undefined;
    return actor && isRunning(actor) ? actor : undefined;
  };
  const onLife = (id: string, changed: () => void): (() => void) => {
    const listeners = lives.get(id) ?? new Set();
    lives.set(id, listeners);
    listeners.add(changed);
    return () => {
      listeners.delete(changed);
      if (listeners.size === 0 && lives.get(id) === listeners) lives.delete(id);
    };
  };
  const lifeChanged = (id: string): void => {
    for (const changed of lives.get(id) ?? []) changed();
  };
  const guarded =
    (handler: (event: NamedEvent) => void) =>
    (event: NamedEvent): void => {
      try {
        handler(event);
      } catch (error) {
        report(error);
      }
    };
  const where: Whereabouts = { locate, onLife, report };

  return {
    tell: (id, event) => {
      const actor = locate(id);
      if (!actor) return 'absent';
      actor.send(event);
      return 'delivered';
    },
    // The caller names the context type of the actor it asks for; the actor itself is found by name only.
    read: <C>(id: string) => viewOf(locate(id)) as SnapshotView<C> | undefined,
    ask: <T>(id: string, event: NamedEvent, timeoutMs: Milliseconds) => {
      const actor = locate(id);
      if (!actor) return Promise.resolve<AskOutcome<T>>({ ok: false, reason: 'absent' });
      requests += 1;
      const requestId = `ask-${requests}`;
      return new Promise<AskOutcome<T>>((resolve) => {
        const finish = (outcome: AskOutcome<T>): void => {
          timers.clearTimeout(timer);
          replies.unsubscribe();
          unwatch();
          resolve(outcome);
        };
        const replies = actor.on('reply', (reply) => {
          if (!('requestId' in reply) || reply.requestId !== requestId) return;
          // The outcome's type belongs to the event that was asked; the contract of the actor states it.
          finish({ ok: true, value: ('outcome' in reply ? reply.outcome : undefined) as T });
        });
        const unwatch = watchInstance(
          actor,
          () => {},
          () => finish({ ok: false, reason: 'ended' }),
        );
        const timer = timers.setTimeout(() => finish({ ok: false, reason: 'timeout' }), timeoutMs);
        actor.send({ ...event, requestId } as NamedEvent);
      });
    },
    listen: (id, type, handler) => {
      let attached: LiveActor | undefined;
      let detach = (): void => {};
      const attach = (): void => {
        const actor = locate(id);
        if (actor === attached) return;
        detach();
        attached = actor;
        const subscription = actor?.on(type, guarded(handler));
        detach = () => subscription?.unsubscribe();
      };
      const unlisten = onLife(id, attach);
      attach();
      return () => {
        unlisten();
        detach();
      };
    },
    follow: (id, select, onChange, equal) => follow(where, id, select, onChange, equal),
    ids: () => [...known],
    attach: (system) => {
      book = system;
      for (const id of lives.keys()) lifeChanged(id);
    },
    declared: (id) => void known.add(id),
    started: (id) => {
      known.add(id);
      lifeChanged(id);
    },
    stopped: lifeChanged,
  };
};
