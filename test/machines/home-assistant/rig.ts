import { createActor, SimulatedClock } from 'xstate';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type {
  ConnectionCommand,
  ConnectionFact,
  ConnectionInput,
  Excess,
  HomeAssistantMachineEvent,
  NeedsFact,
} from '#machines/home-assistant/events.ts';
import { healthTokens } from '#machines/home-assistant/health-tokens.ts';
import { homeAssistantMachine } from '#machines/home-assistant/machine.ts';
import { networkOf, phaseOf } from '#machines/home-assistant/phase.ts';
import { excessStore } from '#test/fakes/excess-store.ts';

/** The machine on a simulated clock, with a connection that a test plays. */
export function start(settleMs = 0, kept: Excess | null = null) {
  const kepts: Excess[] = [];
  const clock = new SimulatedClock();
  const commands: ConnectionCommand[] = [];
  const attempts: ConnectionInput[] = [];
  const emitted: unknown[] = [];
  let open = 0;
  let crash = (): void => {};
  const actor = createActor(
    homeAssistantMachine.provide({
      actors: {
        connection: fromDriver<ConnectionCommand, ConnectionInput, ConnectionFact>(({ input, onEvent, guard }) => {
          attempts.push(input);
          open += 1;
          onEvent((command) => void commands.push(command));
          crash = guard(() => {
            throw new Error('marker');
          });
          return () => {
            open -= 1;
          };
        }),
        needs: fromDriver(() => {}),
        store: excessStore(kept, (excess) => void kepts.push(excess)),
      },
    }),
    { clock, input: { settleMs } },
  );
  for (const type of ['reply', 'home-assistant.read-out', 'home-assistant.turn'] as const)
    actor.on(type, (event) => void emitted.push(event));
  actor.start();
  const hear = (...events: readonly HomeAssistantMachineEvent[]): void => {
    for (const event of events) actor.send(event);
  };
  const generation = (): number => attempts.at(-1)?.generation ?? 0;
  const shown = () => actor.getSnapshot();
  return {
    actor,
    clock,
    attempts,
    emitted,
    hear,
    commanded: () => commands.splice(0),
    kepts: () => kepts.splice(0),
    open: () => open,
    crash: () => crash(),
    facts: () => shown().context,
    phase: () => phaseOf(shown()),
    health: () =>
      healthTokens({ network: networkOf(shown()), lifecycle: shown().context.lifecycle }, clock.now()).trim(),
    live: (running: 'running' | 'starting' = 'running', hearsEvents = true) =>
      hear({ type: 'socket.live', generation: generation(), at: clock.now(), running, hearsEvents, family: 'ipv4' }),
    end: (code: string) => hear({ type: 'socket.ended', generation: generation(), code, at: clock.now() }),
    probe: (answeredMs: number | null, otherFrames = false) => {
      clock.increment(10_000);
      hear({ type: 'socket.probed', generation: generation(), answeredMs, otherFrames, at: clock.now() });
    },
    notice: (notice: 'stopping' | 'starting' | 'started') =>
      hear({ type: 'socket.notice', generation: generation(), notice }),
  };
}

/** What other parts need of it: by default a credential, and the restarts for the built-in renderer. */
export const needs = (change: Partial<Extract<NeedsFact, { type: 'needs.changed' }>> = {}) =>
  ({ type: 'needs.changed', credential: true, revision: 1, lifecycle: true, native: false, ...change }) as const;
/** A watcher of some registries. */
export const watch = (watcher: string, ...topics: readonly { readonly kind: 'areas' | 'devices' | 'pipelines' }[]) =>
  ({ type: 'home-assistant.watch', watcher, topics }) as const;
/** The machine with what a test plays. */
export type Rig = ReturnType<typeof start>;

/** With a credential, the built-in renderer and a live connection. */
export function startLive(settleMs = 0) {
  const rig = start(settleMs);
  rig.hear(needs());
  rig.live();
  return rig;
}
