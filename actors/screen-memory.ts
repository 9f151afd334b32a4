import { z } from 'zod';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { ScreenMemoryCommand, ScreenMemoryFact } from '#machines/screen/events.ts';
import type { StoredSection } from '#machines/stored-sections.ts';

import type { Registry } from './kit/registry.ts';

/** Least time between two commits of the level, so that dragging a slider does not wear the disk. */
export const COMMIT_PAUSE_MS: Milliseconds = 5000;
/** Longest wait for the store's answer. */
const ASK_BOUND_MS: Milliseconds = 2000;
/** Pause before a store that did not answer is asked again. */
export const RECALL_PAUSE_MS: Milliseconds = 1000;

const route = z.enum(['adb', 'backlight', 'wlopm', 'kscreen', 'xset', 'ddc', 'dimming']).nullable();

/** The panel section of the document, version 1. */
const remembered = z.object({
  version: z.literal(1),
  screen: z.object({
    lastBrightness: z.int().min(1).max(255),
    /** The routes that were used last, and for which display. */
    routes: z
      .object({ display: z.string().max(200), choice: z.object({ brightness: route, power: route }) })
      .optional(),
  }),
});

type Remembered = z.infer<typeof remembered>['screen'];

const same = (one: Remembered | null, other: Remembered): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * Keeps the screen's last level and its routes in a section of the durable document: recalled at start, written at most
 * every five seconds.
 */
export const screenMemory = (registry: Registry, section: StoredSection) =>
  fromDriver<ScreenMemoryCommand, undefined, ScreenMemoryFact>(({ send, onEvent, guard, signal }) => {
    let kept: Remembered | null = null;
    let wanted: Remembered | null = null;
    let level: number | null = null;
    let routes: Remembered['routes'];
    let timer: NodeJS.Timeout | undefined;
    let recalling: NodeJS.Timeout | undefined;

    const commit = async (): Promise<void> => {
      const screen = wanted;
      if (screen === null || same(kept, screen)) return;
      wanted = null;
      const value: z.infer<typeof remembered> = { version: 1, screen };
      const answer = await registry.ask('store', { type: 'store.commit', section, value }, ASK_BOUND_MS);
      if (answer.ok && answer.value.ok) kept = screen;
    };
    const commitLater = (): void => {
      timer ??= setTimeout(
        guard(async () => {
          await commit();
          timer = undefined;
          // A level that the disk refused is tried again with the next change, not for ever.
          if (!signal.aborted && wanted !== null) commitLater();
        }),
        COMMIT_PAUSE_MS,
      );
    };

    onEvent((command) => {
      if (command.type === 'level.keep') level = command.level;
      else if (command.choice.brightness !== null || command.choice.power !== null)
        routes = { display: command.display, choice: command.choice };
      // Routes alone are kept with the level that the store still holds, once that is known.
      const lastBrightness = level ?? kept?.lastBrightness ?? null;
      if (lastBrightness === null) return;
      wanted = { lastBrightness, ...(routes === undefined ? {} : { routes }) };
      if (!same(kept, wanted)) commitLater();
    });
    const recall = async (): Promise<void> => {
      const answer = await registry.ask('store', { type: 'store.read', section }, ASK_BOUND_MS);
      if (signal.aborted) return;
      // Once a newer level is kept, the older one is of no use.
      if (!answer.ok || !answer.value.ok) {
        if (kept === null && wanted === null) recalling = setTimeout(guard(recall), RECALL_PAUSE_MS);
        return;
      }
      const found = remembered.safeParse(answer.value.value);
      if (!found.success || kept !== null) return;
      kept = found.data.screen;
      send({ type: 'level.recalled', level: kept.lastBrightness });
      if (kept.routes !== undefined) send({ type: 'routes.recalled', ...kept.routes });
    };
    guard(recall)();
    return () => {
      clearTimeout(timer);
      clearTimeout(recalling);
      return commit();
    };
  });
