import { z } from 'zod';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { once } from '#machines/kit/once.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { RelayId, RelayStoreCommand, RelayStoreFact } from '#machines/relays/events.ts';

import type { Registry } from './kit/registry.ts';
import { storedSection } from './kit/stored-section.ts';

/** Commits of one relay that are made at once, so that a power cut right after a manual switch keeps the new state. */
export const COMMIT_BURST = 10;
/**
 * Time after which one more is allowed, so that an automation that toggles the relay all day does not wear out the
 * disk.
 */
export const COMMIT_PAUSE_MS: Milliseconds = 5000;

/** A relay's stored section, version 1. */
const remembered = once(() => z.object({ version: z.literal(1), closed: z.boolean() }));

/** Keeps the state of a relay in its stored section, for profiles whose relays restore their state. */
export const relayStore = (registry: Registry, relay: RelayId) =>
  fromDriver<RelayStoreCommand, undefined, RelayStoreFact>(({ send, onEvent, guard, signal }) => {
    const store = storedSection<boolean | null>(
      registry,
      { guard, signal },
      {
        section: relay,
        parse: (stored) => remembered().safeParse(stored).data?.closed ?? null,
        format: (closed) =>
          closed === null ? null : ({ version: 1, closed } satisfies z.infer<ReturnType<typeof remembered>>),
        rateLimit: { burst: COMMIT_BURST, pauseMs: COMMIT_PAUSE_MS },
      },
    );
    onEvent(({ closed }) => store.keep(closed));
    store.recall((closed) => send({ type: 'relay.recalled', closed }));
    return store.end;
  });
