import type { Actors } from '#machines/actors.ts';
import type {
  ActorInterface,
  AnswerOf,
  AskEventOf,
  AskTypeOf,
  EmittedOf,
  NamedEvent,
  TellEventOf,
} from '#machines/kit/actor.ts';
import type { SnapshotView } from '#machines/kit/snapshot.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import { follow, viewOf, watchInstance, type LiveActor, type Whereabouts } from './follow.ts';

type SendOutcome = 'delivered' | 'absent';

/** The reply's outcome, or why there is none. */
export type AskOutcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: 'absent' | 'timeout' | 'ended' };

export type ActorMap<M> = { readonly [I in keyof M]: ActorInterface };

type IdOf<M> = keyof M & string;

/**
 * How everything outside an actor talks to it: by id, whichever instance is running. `M` names the actors and their
 * interfaces; tests may bring others than the agent's own (`machines/actors.ts`).
 */
export interface Registry<M extends ActorMap<M> = Actors> {
  /** Sends one event that needs no answer; it has been processed when this returns. */
  readonly tell: <I extends IdOf<M>>(id: I, event: TellEventOf<M[I]>) => SendOutcome;
  /** The actor's state and public facts now; undefined while it is absent. */
  readonly read: <I extends IdOf<M>>(id: I) => SnapshotView<M[I]['context']> | undefined;
  /** Sends the event with a unique `requestId` and waits for the one emitted `reply` that carries it; never rejects. */
  readonly ask: <I extends IdOf<M>, T extends AskTypeOf<M[I]>>(
    id: I,
    event: { readonly type: T } & AskEventOf<M[I], T>,
    timeoutMs: Milliseconds,
  ) => Promise<AskOutcome<AnswerOf<M[I], T>>>;
  /**
   * Calls `handler` for each event of that type that the actor emits, across restarts; returns a function that stops
   * it.
   */
  readonly listen: <I extends IdOf<M>, T extends EmittedOf<M[I]>['type']>(
    id: I,
    type: T,
    handler: (event: Extract<EmittedOf<M[I]>, { readonly type: T }>) => void,
  ) => () => void;
  /**
   * Calls `onChange` at once and on each change of the selected value, across restarts; returns a function that stops
   * it.
   */
  readonly follow: <I extends IdOf<M>, T>(
    id: I,
    select: (snapshot: SnapshotView<M[I]['context']> | undefined) => T,
    onChange: (value: T) => void,
    equal?: (a: T, b: T) => boolean,
  ) => () => void;
  /**
   * What an actor's manifest says of it while the settings keep it off; undefined otherwise. Its followers select again
   * when this changes.
   */
  readonly off: <I extends IdOf<M>>(id: I) => SnapshotView<M[I]['context']> | undefined;
  /** Every supervised worker, running or not, in start order. */
  readonly ids: () => readonly IdOf<M>[];
}

/** The part of an actor system that the registry uses. */
interface AddressBook {
  readonly get: (id: string) => unknown;
}

/** What the composition root and the supervisors report to the registry. */
export interface RegistryControl {
  /** Connects it to the actor system; until then every actor is absent. */
  readonly attach: (system: AddressBook) => void;
  /** A worker of this id is supervised. */
  readonly declared: (id: string) => void;
  /** A new instance of this id exists (it may be about to start). */
  readonly started: (id: string) => void;
  /** The instance of this id has ended. */
  readonly stopped: (id: string) => void;
  /** The settings keep this id off, and `shown` is what it shows; null once they no longer do. */
  readonly switchedOff: (id: string, shown: SnapshotView | null) => void;
}

/** The timers that `ask` and `until` wait with. */
export interface Timers {
  readonly setTimeout: (fn: () => void, ms: Milliseconds) => unknown;
  readonly clearTimeout: (timer: unknown) => void;
}

/** Options of a registry; only tests need them. */
export interface RegistryOptions {
  readonly timers?: Timers;
  /** Called with what callbacks of `listen` and `follow` threw. */
  readonly report?: (error: unknown) => void;
}

export const realTimers: Timers = {
  setTimeout: (fn, ms) => setTimeout(fn, ms),
  // It was made by the function above, or is undefined, which clears nothing.
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
};

function isRunning(actor: LiveActor): boolean {
  try {
    const snapshot = actor.getSnapshot();
    return typeof snapshot === 'object' && snapshot !== null && 'status' in snapshot && snapshot.status === 'active';
  } catch {
    // XState throws while the actor is still being made.
    return false;
  }
}

/** The only code that looks actors up by id. */
export function createRegistry<M extends ActorMap<M> = Actors>(
  options: RegistryOptions = {},
): Registry<M> & RegistryControl {
  const timers = options.timers ?? realTimers;
  const report = options.report ?? (() => {});
  const known = new Set<string>();
  const lives = new Map<string, Set<() => void>>();
  const offViews = new Map<string, SnapshotView>();
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

  /** The untyped half: actors and events by name only. */
  const send = (id: string, event: NamedEvent): SendOutcome => {
    const actor = locate(id);
    if (!actor) return 'absent';
    actor.send(event);
    return 'delivered';
  };
  const request = (id: string, event: NamedEvent, timeoutMs: Milliseconds): Promise<AskOutcome<unknown>> => {
    const actor = locate(id);
    if (!actor) return Promise.resolve({ ok: false, reason: 'absent' });
    requests += 1;
    const requestId = `ask-${requests}`;
    return new Promise((resolve) => {
      const finish = (outcome: AskOutcome<unknown>): void => {
        timers.clearTimeout(timer);
        replies.unsubscribe();
        unwatch();
        resolve(outcome);
      };
      const replies = actor.on('reply', (reply) => {
        if (!('requestId' in reply) || reply.requestId !== requestId) return;
        finish({ ok: true, value: 'outcome' in reply ? reply.outcome : undefined });
      });
      const unwatch = watchInstance(
        actor,
        () => {},
        () => finish({ ok: false, reason: 'ended' }),
      );
      const timer = timers.setTimeout(() => finish({ ok: false, reason: 'timeout' }), timeoutMs);
      actor.send({ ...event, requestId } as NamedEvent);
    });
  };
  const listen = (id: string, type: string, handler: (event: NamedEvent) => void): (() => void) => {
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
  };
  const control: RegistryControl = {
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
    switchedOff: (id, shown) => {
      if (shown === null) offViews.delete(id);
      else offViews.set(id, shown);
      lifeChanged(id);
    },
  };
  // Actors are found by name and send plain objects. `part` proves, where a part is made, that it has the interface
  // that the map gives its id; so the types are added here, once.
  const typed = {
    tell: send,
    read: (id: string) => viewOf(locate(id)),
    ask: request,
    listen,
    follow: <T>(
      id: string,
      select: (snapshot: SnapshotView | undefined) => T,
      onChange: (value: T) => void,
      equal?: (a: T, b: T) => boolean,
    ) => follow(where, id, select, onChange, equal),
    off: (id: string) => offViews.get(id),
    ids: () => [...known],
  } as unknown as Registry<M>;
  return { ...typed, ...control };
}
