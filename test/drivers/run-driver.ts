import { createActor, type EventObject, setup } from 'xstate';

import { cleanupsOf } from '#drivers/kit/cleanups.ts';
import type { DriverLogic } from '#machines/kit/placeholder.ts';

/** A driver running under a parent that keeps every fact. */
export interface RunningDriver<TCommand extends EventObject, TFact extends EventObject> {
  readonly facts: readonly TFact[];
  readonly tell: (command: TCommand) => void;
  /** Waits for a fact that passes, looking from the `from`-th on; rejects after `withinMs`, 15 s when absent. */
  readonly until: <F extends TFact>(passes: (fact: TFact) => fact is F, from?: number, withinMs?: number) => Promise<F>;
  readonly crashed: () => unknown;
  readonly stop: () => void;
  /** Resolves when its cleanup is over. */
  readonly settled: () => Promise<void>;
}

/** Starts a driver as a child of a bare machine, with `input` where it takes one. */
export function runDriver<TCommand extends EventObject, TFact extends EventObject, TInput = undefined>(
  logic: DriverLogic<TCommand, TInput, TFact>,
  ...[input]: TInput extends undefined ? [] : [input: TInput]
): RunningDriver<TCommand, TFact> {
  const facts: TFact[] = [];
  const waiting = new Set<() => void>();
  let crash: unknown;
  const parent = createActor(
    // A machine's types cannot follow a generic input; the driver gets the very one that was given.
    setup({ actors: { driver: logic as DriverLogic<TCommand, unknown, TFact> } }).createMachine({
      invoke: {
        id: 'driver',
        src: 'driver',
        input: () => input,
        onError: {
          actions: ({ event }) => {
            crash = event.error;
          },
        },
      },
      on: {
        '*': {
          actions: ({ event }) => {
            // Everything that reaches this parent was sent by the driver under test.
            facts.push(event as unknown as TFact);
            for (const look of waiting) look();
          },
        },
      },
    }),
  );
  parent.start();
  return {
    facts,
    tell: (command) => parent.getSnapshot().children.driver?.send(command),
    until: (passes, from = 0, withinMs = 30_000) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = facts.slice(from).find(passes);
          if (found === undefined) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve(found);
        };
        const timer = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`no such fact within ${withinMs} ms; seen: ${JSON.stringify(facts)}`));
        }, withinMs);
        waiting.add(look);
        look();
      }),
    crashed: () => crash,
    stop: () => parent.stop(),
    settled: () => cleanupsOf(parent.system).settled(),
  };
}

/** Narrows a fact by its type, and further where `also` is given. */
export const isFact =
  <TFact extends EventObject, T extends TFact['type']>(
    type: T,
    also: (fact: Extract<TFact, { type: T }>) => boolean = () => true,
  ) =>
  (fact: TFact): fact is Extract<TFact, { type: T }> =>
    // The type tag was just compared.
    fact.type === type && also(fact as Extract<TFact, { type: T }>);
