import { setMaxListeners } from 'node:events';

import type { AnyActorRef, EventObject } from 'xstate';

import type { DriverLogic } from '#machines/kit/placeholder.ts';

import { type Cleanup, cleanupsOf, isPromise } from './cleanups.ts';

export type { Cleanup } from './cleanups.ts';
export type { DriverLogic } from '#machines/kit/placeholder.ts';

export interface DriverScope<TEvent extends EventObject, TInput, TFact extends EventObject> {
  /** Input from the parent machine. */
  readonly input: TInput;
  /** Aborted when the driver is stopped or has crashed, before its cleanup runs. */
  readonly signal: AbortSignal;
  /** Reports a fact to the parent machine; ignored once the driver has ended. */
  readonly send: (fact: TFact) => void;
  /**
   * Registers a handler of the parent's events. Events that came earlier (during an asynchronous start) are delivered
   * in order, the newest 100 of them. Asynchronous handlers may overlap. A throw or rejection crashes the driver.
   */
  readonly onEvent: (handler: (event: TEvent) => void | Promise<void>) => void;
  /**
   * Wraps a callback for an emitter or timer: its throw or rejection crashes the driver with one error event instead of
   * the process, and it is not called after the driver has ended.
   */
  readonly guard: <A extends unknown[]>(fn: (...args: A) => void | Promise<void>) => (...args: A) => void;
}

/** Most events kept while no handler is registered; one more drops the oldest. */
const QUEUE_LIMIT = 100;
/**
 * Listeners that a driver's signal may have before Node warns of a leak: each running tool and each pause has one, and
 * a probe of up to eight tools may overlap three others. Node's default of 10 is too low for a machine with many tools.
 */
const SIGNAL_LISTENERS = 32;
/** The public event by which XState stops an actor. */
const STOP = 'xstate.stop';
/** Carries a crash outside of a transition through the mailbox. */
const CRASHED = 'driver.crashed';

interface Instance {
  readonly input: unknown;
  ended: boolean;
  crash: { readonly error: unknown } | undefined;
  deliver: (event: EventObject) => void;
  end: () => void;
}

/** True while the actor runs: a crashed parent may leave this driver behind for a moment, and must get no events. */
function isRunning(actor: AnyActorRef | undefined): boolean {
  const snapshot: unknown = actor?.getSnapshot();
  return typeof snapshot === 'object' && snapshot !== null && 'status' in snapshot && snapshot.status === 'active';
}

/**
 * Actor logic around a function that touches the outside world. Any failure in it (the start, a handler, a guarded
 * callback; thrown or rejected) becomes exactly one error event to the parent, and its cleanup runs exactly once.
 */
export function fromDriver<TEvent extends EventObject, TInput, TFact extends EventObject>(
  start: (scope: DriverScope<TEvent, TInput, TFact>) => void | Cleanup | Promise<void | Cleanup>,
): DriverLogic<TEvent, TInput, TFact> {
  const instances = new WeakMap<AnyActorRef, Instance>();

  const open = (self: AnyActorRef, instance: Instance): void => {
    const cleanups = cleanupsOf(self.system);
    const controller = new AbortController();
    setMaxListeners(SIGNAL_LISTENERS, controller.signal);
    const handlers: ((event: TEvent) => void | Promise<void>)[] = [];
    const early: TEvent[] = [];
    let cleanup: Cleanup | undefined;

    const end = (): void => {
      if (instance.ended) return;
      instance.ended = true;
      early.length = 0;
      controller.abort();
      const due = cleanup;
      cleanup = undefined;
      if (due) cleanups.run(due);
    };
    const crash = (error: unknown): void => {
      if (instance.ended) return;
      instance.crash = { error };
      end();
      // During the synchronous part of the start and inside a transition, the mailbox delays this until they are over.
      self.send({ type: CRASHED });
    };
    const run = (call: () => void | Promise<void>): void => {
      try {
        const result = call();
        if (isPromise(result)) result.then(undefined, crash);
      } catch (error) {
        crash(error);
      }
    };
    const handOver = (event: TEvent): void => {
      for (const handler of handlers) if (!instance.ended) run(() => handler(event));
    };
    const handOverEarly = (): void => {
      for (let event = early.shift(); event !== undefined; event = early.shift()) handOver(event);
    };
    const started = (result: void | Cleanup): void => {
      if (typeof result !== 'function') return;
      if (instance.ended) cleanups.run(result);
      else cleanup = result;
    };

    instance.end = end;
    instance.deliver = (event) => {
      if (instance.ended) return;
      // The types of the machine allow no other events; the caller filters XState's own.
      const known = event as TEvent;
      if (handlers.length > 0 && early.length === 0) {
        handOver(known);
        return;
      }
      early.push(known);
      if (early.length > QUEUE_LIMIT) early.shift();
    };

    const scope: DriverScope<TEvent, TInput, TFact> = {
      // Set by getInitialSnapshot of this same logic, whose input is a TInput.
      input: instance.input as TInput,
      signal: controller.signal,
      // `_parent` is an undocumented field of XState: a test of this kit fails when it is gone.
      send: (fact) => {
        if (!instance.ended && isRunning(self._parent)) self._parent?.send(fact);
      },
      onEvent: (handler) => {
        handlers.push(handler);
        // As a microtask, so that the handler never runs before the lines after its registration.
        if (early.length > 0) queueMicrotask(handOverEarly);
      },
      guard:
        (fn) =>
        (...args) => {
          if (!instance.ended) run(() => fn(...args));
        },
    };

    try {
      const result = start(scope);
      if (isPromise(result)) result.then(started, crash);
      else started(result);
    } catch (error) {
      crash(error);
    }
  };

  return {
    getInitialSnapshot: (scope, input) => {
      instances.set(scope.self, { input, ended: false, crash: undefined, deliver: () => {}, end: () => {} });
      return { status: 'active', output: undefined, error: undefined };
    },
    start: (_, scope) => {
      const instance = instances.get(scope.self);
      if (instance) open(scope.self, instance);
    },
    transition: (snapshot, event, scope) => {
      const instance = instances.get(scope.self);
      if (!instance || snapshot.status !== 'active') return snapshot;
      const type: string = event.type;
      if (type === STOP) {
        instance.end();
        return { status: 'stopped', output: undefined, error: undefined };
      }
      if (type !== CRASHED) instance.deliver(event);
      return instance.crash ? { status: 'error', output: undefined, error: instance.crash.error } : snapshot;
    },
    getPersistedSnapshot: (snapshot) => snapshot,
  };
}
