import { z } from 'zod';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { freshKey, keyedDigest } from '#drivers/kit/keyed-digest.ts';
import type { Excess, ExcessCommand, ExcessFact } from '#machines/home-assistant/events.ts';

import { lastKnown } from './kit/follow-all.ts';
import type { Registry } from './kit/registry.ts';
import { storedSection } from './kit/stored-section.ts';
import { once } from '#machines/kit/once.ts';

/** The stored section, version 1. The Home Assistant is recognised by its mark alone. */
const stored = once(() =>
  z.object({
    version: z.literal(1),
    key: z.string().max(64),
    server: z.string().max(64),
    code: z.enum(['message-too-large', 'message-too-deep', 'message-too-many', 'message-flood']),
    count: z.int().min(1).max(1_000_000),
    until: z.int().min(0),
  }),
);
type Stored = z.infer<ReturnType<typeof stored>>;

const markOf = (key: string, address: string): string => keyedDigest(key, 'home-assistant', address);
const excessOf = ({ code, count, until }: Stored): Excess => ({ code, count, until });

/** Remembers durably that the Home Assistant at the configured address sent too much; another address starts afresh. */
export const excessStore = (registry: Registry) =>
  fromDriver<ExcessCommand, undefined, ExcessFact>((scope) => {
    const store = storedSection<Stored | null>(registry, scope, {
      section: 'home_assistant',
      parse: (section) => stored().safeParse(section).data ?? null,
      format: (kept) => kept,
      rateLimit: 'at-once',
    });
    /** Undefined until it was recalled. */
    let kept: Stored | null | undefined;
    /** The address in force; null until the settings were read. */
    let address: string | null = null;

    const report = (): void => {
      if (kept === undefined || address === null) return;
      const isOther = kept !== null && kept.server !== markOf(kept.key, address);
      if (isOther) {
        kept = null;
        void store.keep(null);
      }
      scope.send({ type: 'excess.recalled', excess: kept === null ? null : excessOf(kept) });
    };
    scope.onEvent(async ({ excess }) => {
      if (address === null) return;
      const key = freshKey();
      kept = { version: 1, key, server: markOf(key, address), ...excess };
      await store.keep(kept);
    });
    store.recall((found) => {
      kept = found;
      report();
    });
    const unfollow = registry.follow(
      'settings',
      // While the settings restart, the address stays the same.
      lastKnown((snapshot) =>
        snapshot === undefined || snapshot.context.revision === 0 ? null : String(snapshot.context.values['ha_url']),
      ),
      scope.guard((value: string | null) => {
        if (value === null || value === address) return;
        address = value;
        report();
      }),
    );
    return () => {
      unfollow();
      return store.end();
    };
  });
