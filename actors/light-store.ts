import { z } from 'zod';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { once } from '#machines/kit/once.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import {
  type KeptShowing,
  lightEffects,
  type LightId,
  type LightStoreCommand,
  type LightStoreFact,
} from '#machines/lights/events.ts';

import type { Registry } from './kit/registry.ts';
import { storedSection } from './kit/stored-section.ts';

/** Commits that are made at once, and the time after which one more is: the LED is held once a use in the dark. */
const COMMIT_BURST = 10;
const COMMIT_PAUSE_MS: Milliseconds = 5000;

const channel = once(() => z.int().min(0).max(255));

/** The stored section of a light that is held, version 1. */
const remembered = once(() =>
  z.object({
    version: z.literal(1),
    showing: z.object({
      output: z.object({
        level: channel(),
        rgb: z.object({ red: channel(), green: channel(), blue: channel() }).nullable(),
      }),
      effect: z.enum(lightEffects),
    }),
  }),
);

/**
 * Keeps what the LED shows once it is no longer held, for the start after an agent that was killed while it held it.
 * No other light is held, so none of them is asked.
 */
export const lightStore = (registry: Registry, light: LightId) =>
  fromDriver<LightStoreCommand, undefined, LightStoreFact>(({ send, onEvent, guard, signal }) => {
    if (light !== 'led') return undefined;
    const store = storedSection<KeptShowing | null>(
      registry,
      { guard, signal },
      {
        section: light,
        parse: (stored) => remembered().safeParse(stored).data?.showing ?? null,
        format: (showing) =>
          showing === null ? null : ({ version: 1, showing } satisfies z.infer<ReturnType<typeof remembered>>),
        rateLimit: { burst: COMMIT_BURST, pauseMs: COMMIT_PAUSE_MS },
      },
    );
    onEvent(({ showing }) => store.keep(showing));
    store.recall((showing) => send({ type: 'light.recalled', showing }));
    return store.end;
  });
