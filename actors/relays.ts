import type { AnyActorLogic } from 'xstate';

import type { RelayId } from '#machines/relays/events.ts';
import { type RelayInput, relayMachine } from '#machines/relays/machine.ts';

import type { Registry } from './kit/registry.ts';
import type { ChildSpec } from './kit/spec.ts';
import { relayMemory } from './relay-memory.ts';

/** What a relay's actor is wired to. */
export interface RelayDeps {
  readonly registry: Registry;
  /** Which of the relays it is. */
  readonly id: RelayId;
  /** The profile's driver of that relay. */
  readonly driver: AnyActorLogic;
  /** Whether the agent only looks: it must leave a relay as it found it. */
  readonly looking?: boolean;
}

/**
 * A relay: permanent; asked to stop, it ends at once and writes nothing, so that the relay stays as it is for as long
 * as the kernel lets it.
 */
export const relaySpec = ({ registry, id, driver, looking = false }: RelayDeps): ChildSpec => {
  let starts = 0;
  return {
    id,
    logic: relayMachine.provide({ actors: { contact: driver, memory: relayMemory(registry, id) } }),
    // The profile speaks of the start of the agent, not of a part of it that crashed.
    input: (): RelayInput => {
      starts += 1;
      return { again: starts > 1, looking };
    },
    restart: 'permanent',
    stop: { event: { type: 'relay.stop' }, withinMs: 5 },
  };
};
