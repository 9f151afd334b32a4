import type { ActorLogic, ActorScope, AnyActorRef, EventObject, Snapshot } from 'xstate';

import { type Cleanup, type DriverScope, fromDriver } from '#drivers/kit/from-driver.ts';
import { type ReplyEvent, stopped, type WorkerOutcome } from '#machines/kit/outcome.ts';

interface Shown<C> {
  readonly value: string;
  readonly context: C;
}

/** What a server gets when it starts; as in a driver, a throw or rejection in a callback is a crash. */
export interface ServerScope<C, E extends EventObject, O> extends Pick<
  DriverScope<E, undefined, never>,
  'signal' | 'onEvent' | 'guard'
> {
  /** Shows another state, other facts or both; later answers are sent once these can be read. */
  readonly show: (shown: Partial<Shown<C>>) => void;
  readonly answer: (requestId: string, outcome: O) => void;
  /** Ends the server after it was asked to stop and has finished. */
  readonly end: () => void;
}

/** A server: its initial state and facts, the reason that its crash gets, and its work. */
export interface ServerPlan<C, E extends EventObject, O> {
  readonly initial: Shown<C>;
  /** The reason that it ends with when it crashes, such as `settings-writer`. */
  readonly failed: string;
  readonly serve: (scope: ServerScope<C, E, O>) => void | Cleanup | Promise<void | Cleanup>;
}

type System = AnyActorRef['system'];
type ServerSnapshot<C> = Snapshot<WorkerOutcome> & Shown<C>;
type ServerLogic<C, E extends EventObject, O> = ActorLogic<ServerSnapshot<C>, E, void, System, ReplyEvent<O>>;

/** What a running server has yet to show or answer. */
interface Desk<C, O> {
  /** True while it handles an event: changes made meanwhile belong to that step. */
  isBusy: boolean;
  isOver: boolean;
  due: Partial<Shown<C>>;
  answers: ReplyEvent<O>[];
  /** Triggers a separate step that shows what is due. */
  readonly wake: () => void;
  readonly emit: (reply: ReplyEvent<O>) => void;
}

/** The event that a server sends to itself when its work has changed what it shows. */
const CHANGED = 'server.changed';

/**
 * Logic of an actor that is asked, works beside its mailbox and answers (Erlang's gen_server): a driver that the
 * registry finds directly, without a machine that only forwards. It ends like a worker machine.
 */
export function fromServer<C, E extends EventObject, O>(plan: ServerPlan<C, E, O>): ServerLogic<C, E, O> {
  type Scope = ActorScope<ServerSnapshot<C>, E, System, ReplyEvent<O>>;
  const desks = new WeakMap<AnyActorRef, Desk<C, O>>();
  const driver = fromDriver<E, Desk<C, O>, never>(({ input: desk, signal, onEvent, guard }) =>
    plan.serve({
      signal,
      onEvent,
      guard,
      show: (shown) => {
        if (signal.aborted) return;
        desk.due = { ...desk.due, ...shown };
        if (!desk.isBusy) desk.wake();
      },
      answer: (requestId, outcome) => {
        if (signal.aborted) return;
        const reply = { type: 'reply' as const, requestId, outcome };
        if (desk.isBusy) desk.answers.push(reply);
        else desk.emit(reply);
      },
      end: () => {
        desk.isOver = true;
        if (!desk.isBusy && !signal.aborted) desk.wake();
      },
    }),
  );
  const active = { status: 'active' as const, output: undefined, error: undefined };

  /** The driver's own step for an event. */
  const handle = (desk: Desk<C, O>, event: E, scope: Scope) => {
    desk.isBusy = true;
    // The driver's logic knows its actor by identity alone.
    const after = driver.transition(active, event, scope as never);
    desk.isBusy = false;
    return after;
  };
  /** The snapshot with what is due; answers follow once it can be read. */
  const shown = (snapshot: ServerSnapshot<C>, desk: Desk<C, O>, scope: Scope): ServerSnapshot<C> => {
    for (const reply of desk.answers.splice(0)) scope.defer(() => scope.emit(reply));
    if (Object.keys(desk.due).length === 0) return snapshot;
    const next = { ...snapshot, ...desk.due };
    desk.due = {};
    return next;
  };

  return {
    getInitialSnapshot: (scope) => {
      const { self } = scope;
      const desk: Desk<C, O> = {
        isBusy: false,
        isOver: false,
        due: {},
        answers: [],
        // Filtered out of the plan's events before the driver sees it.
        wake: () => self.send({ type: CHANGED } as E),
        emit: scope.emit,
      };
      desks.set(self, desk);
      driver.getInitialSnapshot(scope as never, desk);
      return { ...active, ...plan.initial };
    },
    start: (_, scope) => driver.start?.(active, scope as never),
    transition: (snapshot, event, scope) => {
      const desk = desks.get(scope.self);
      if (desk === undefined || snapshot.status !== 'active') return snapshot;
      const after = event.type === CHANGED ? active : handle(desk, event, scope);
      const next = shown(snapshot, desk, scope);
      if (after.status === 'error') {
        const output = { ended: 'failed' as const, reason: plan.failed, error: after.error };
        return { ...next, status: 'done', output, error: undefined };
      }
      if (after.status === 'stopped') return { ...next, status: 'stopped', output: undefined, error: undefined };
      if (!desk.isOver) return next;
      // Its cleanup runs as for a stop from outside.
      handle(desk, { type: 'xstate.stop' } as E, scope);
      return { ...next, status: 'done', output: stopped, error: undefined };
    },
    getPersistedSnapshot: (snapshot) => snapshot,
  };
}
