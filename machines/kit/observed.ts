import { assign, type EventObject, type MachineContext, sendTo } from 'xstate';

import { crashed, outcomeOf, type WorkerOutcome } from './outcome.ts';
import { placeholder } from './placeholder.ts';
import { setup } from './setup.ts';

/** An actor that only watches, counts or caches: its driver, and what each event changes. */
export interface Observation<C, E extends EventObject, TInput, TCommand extends EventObject> {
  /** Id of the machine. */
  readonly id: string;
  /** The facts at the start, from its input. */
  readonly initial: (input: TInput) => C;
  /** What each event changes in the facts; other events change nothing. */
  readonly take: { readonly [K in E['type']]?: (facts: C, event: Extract<E, { readonly type: K }>) => Partial<C> };
  /** The command to the driver for each event, given the facts after `take`; other events are not passed on. */
  readonly hand?: { readonly [K in E['type']]?: (facts: C, event: Extract<E, { readonly type: K }>) => TCommand };
  /** Reason of its failure if its driver fails, such as `zigbee-driver`. */
  readonly failed: string;
  /** The same for a second driver that follows other actors, such as the settings; without it there is none. */
  readonly followerFailed?: string;
}

type Reducer<C, E> = (facts: C, event: E) => Partial<C>;

/**
 * A machine without lasting states: it runs one driver and at most one follower of other actors, updates its facts with
 * plain functions, and ends only when a driver fails. The type arguments come in two steps so that the rest is
 * inferred: `observed<ZigbeeContext, ZigbeeEvent>()<EventObject, ZigbeeFact>({ ... })`; `provide({ actors: { source }
 * })` supplies the driver, `follower` the second one.
 */
export const observed =
  <C extends MachineContext, E extends EventObject, TInput = undefined>() =>
  <TCommand extends EventObject, TFact extends E, TFollowed extends E = never>(
    plan: Observation<C, E, TInput, TCommand>,
  ) => {
    // Looked up by the type of the event; the plan's own type checked that they fit.
    const reducers = plan.take as Readonly<Record<string, Reducer<C, E> | undefined>>;
    const commands = (plan.hand ?? {}) as Readonly<Record<string, (facts: C, event: E) => TCommand>>;
    const named = new Set([...Object.keys(plan.take), ...Object.keys(commands)]);
    const actionsAt = (type: string) => [
      ...(Object.hasOwn(reducers, type) ? ['take'] : []),
      ...(Object.hasOwn(commands, type) ? ['hand'] : []),
    ];
    // XState's type of `on` has a field per event, which cannot be computed for a type parameter.
    const on = Object.fromEntries([...named].map((type) => [type, { actions: actionsAt(type) }])) as object;
    return setup({
      types: {
        // Type carriers of the library's own design; their values are never read.
        context: {} as C,
        events: {} as E,
        input: {} as TInput,
        output: {} as WorkerOutcome,
      },
      actors: {
        source: placeholder<TCommand, undefined, TFact>(),
        follower: placeholder<EventObject, undefined, TFollowed>(),
      },
      actions: {
        take: assign(({ context, event }) => reducers[event.type]?.(context, event) ?? {}),
        // Only used for events that have a command.
        hand: sendTo('source', ({ context, event }) => commands[event.type]?.(context, event) as TCommand),
      },
    }).createMachine({
      id: plan.id,
      context: ({ input }) => plan.initial(input),
      initial: 'watching',
      states: {
        watching: {
          invoke: [
            { id: 'source', src: 'source', onError: 'failed' },
            ...(plan.followerFailed === undefined
              ? []
              : [{ id: 'follower', src: 'follower', onError: 'failed' } as const]),
          ],
          on,
        },
        failed: {
          type: 'final',
          output: crashed({ source: plan.failed, follower: plan.followerFailed ?? plan.failed }),
        },
      },
      output: outcomeOf,
    });
  };
