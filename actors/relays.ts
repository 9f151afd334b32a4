import type { RelayDriver, RelayId } from '#machines/relays/events.ts';
import { relays } from '#machines/relays/index.ts';
import { type RelayInput, relayMachine } from '#machines/relays/machine.ts';

import type { Registry } from './kit/registry.ts';
import { part, type Part } from './kit/part.ts';
import { relayStore } from './relay-store.ts';

export interface RelayDeps {
  readonly registry: Registry;
  readonly id: RelayId;
  readonly driver: RelayDriver;
  /** True if the agent only observes: it must leave a relay as it found it. */
  readonly readOnly?: boolean;
}

/**
 * A relay. It stops at once and writes nothing, so that the relay keeps its state for as long as the kernel lets it.
 */
export function relaySpec({ registry, id, driver, readOnly = false }: RelayDeps): Part {
  let starts = 0;
  return part(relays, relayMachine.provide({ actors: { relay: driver, store: relayStore(registry, id) } }), {
    id,
    // The profile's rule is for the start of the agent, not for the restart of a part that crashed.
    input: (): RelayInput => {
      starts += 1;
      return { again: starts > 1, readOnly };
    },
  });
}
