import { z } from 'zod';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { once } from '#machines/kit/once.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { ScreenStoreCommand, ScreenStoreFact } from '#machines/screen/events.ts';
import type { StoredSection } from '#machines/stored-sections.ts';

import type { Registry } from './kit/registry.ts';
import { storedSection } from './kit/stored-section.ts';

/** Least time between two commits of the level, so that dragging a slider does not wear out the disk. */
export const COMMIT_PAUSE_MS: Milliseconds = 5000;
const route = once(() => z.enum(['adb', 'backlight', 'wlopm', 'kscreen', 'xset', 'ddc', 'dimming']).nullable());

/** The stored section of a screen, version 1. */
const remembered = once(() =>
  z.object({
    version: z.literal(1),
    screen: z.object({
      lastBrightness: z.int().min(1).max(255),
      /** The routes that were used last, and for which display. */
      routes: z
        .object({ display: z.string().max(200), choice: z.object({ brightness: route(), power: route() }) })
        .optional(),
    }),
  }),
);

type Remembered = z.infer<ReturnType<typeof remembered>>['screen'];

/**
 * Keeps the screen's last level and its routes in its stored section: recalled at the start, written at most every five
 * seconds.
 */
export const screenStore = (registry: Registry, section: StoredSection) =>
  fromDriver<ScreenStoreCommand, undefined, ScreenStoreFact>(({ send, onEvent, guard, signal }) => {
    const store = storedSection<Remembered | null>(
      registry,
      { guard, signal },
      {
        section,
        parse: (stored) => remembered().safeParse(stored).data?.screen ?? null,
        format: (screen) =>
          screen === null ? null : ({ version: 1, screen } satisfies z.infer<ReturnType<typeof remembered>>),
        rateLimit: { afterMs: COMMIT_PAUSE_MS },
      },
    );
    let level: number | null = null;
    let routes: Remembered['routes'];

    onEvent(async (command) => {
      if (command.type === 'level.keep') level = command.level;
      else if (command.choice.brightness !== null || command.choice.power !== null)
        routes = { display: command.display, choice: command.choice };
      // Routes alone are stored with the level that the store holds, once that is known.
      if (level !== null) await store.keep({ lastBrightness: level, ...(routes === undefined ? {} : { routes }) });
    });
    store.recall((found) => {
      if (found === null) return;
      level ??= found.lastBrightness;
      send({ type: 'level.recalled', level: found.lastBrightness });
      if (found.routes !== undefined) send({ type: 'routes.recalled', ...found.routes });
    });
    return store.end;
  });
