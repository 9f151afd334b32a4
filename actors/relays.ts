import type { RelayDriver, RelayId } from '#machines/relays/events.ts';
import { relays } from '#machines/relays/index.ts';
import { type RelayInput, relayMachine } from '#machines/relays/machine.ts';

import type { Registry } from './kit/registry.ts';
import { part, type Part } from './kit/part.ts';
import { relayStore } from './relay-store.ts';

/** What a relay's actor is wired to. */
export interface RelayDeps {
  readonly registry: Registry;
  /** Which of the relays it is. */
  readonly id: RelayId;
  /** The profile's driver of that relay. */
  readonly driver: RelayDriver;
  /** Whether the agent only observes: it must leave a relay as it found it. */
  readonly readOnly?: boolean;
}

/**
 * A relay: it stops immediately and writes nothing, so that the relay stays as it is for as long as the kernel lets it.
 */
export function relaySpec({ registry, id, driver, readOnly = false }: RelayDeps): Part {
  let starts = 0;
  return part(relays, relayMachine.provide({ actors: { relay: driver, store: relayStore(registry, id) } }), {
    id,
    // The profile speaks of the start of the agent, not of a part of it that crashed.
    input: (): RelayInput => {
      starts += 1;
      return { again: starts > 1, readOnly };
    },
  });
}
