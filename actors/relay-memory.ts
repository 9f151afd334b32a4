import { z } from 'zod';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { RelayId, RelayMemoryCommand, RelayMemoryFact } from '#machines/relays/events.ts';

import type { Registry } from './kit/registry.ts';

/**
 * Commits of one relay that are made at once, so that a power cut right after a hand at the switch finds the state that
 * it left.
 */
export const COMMIT_BURST = 10;
/**
 * Time after which one more is allowed, so that an automation that toggles the relay all day does not wear the disk.
 */
export const COMMIT_PAUSE_MS: Milliseconds = 5000;
/** Longest wait for the store's answer. */
const ASK_BOUND_MS: Milliseconds = 2000;
/** Pause before a store that did not answer is asked again. */
export const RECALL_PAUSE_MS: Milliseconds = 1000;

/** A relay's section of the document, version 1. */
const remembered = z.object({ version: z.literal(1), closed: z.boolean() });

/**
 * Keeps the state of a relay in its section of the durable document, for a profile whose relays come back as they were.
 */
export const relayMemory = (registry: Registry, relay: RelayId) =>
  fromDriver<RelayMemoryCommand, undefined, RelayMemoryFact>(({ send, onEvent, guard, signal }) => {
    let kept: boolean | null = null;
    let wanted: boolean | null = null;
    let allowed = COMMIT_BURST;
    let resting: NodeJS.Timeout | undefined;
    let recalling: NodeJS.Timeout | undefined;
    let running: Promise<void> = Promise.resolve();

    const commit = async (): Promise<void> => {
      const closed = wanted;
      wanted = null;
      if (closed === null || closed === kept) return;
      const value: z.infer<typeof remembered> = { version: 1, closed };
      const answer = await registry.ask('store', { type: 'store.commit', section: relay, value }, ASK_BOUND_MS);
      if (answer.ok && answer.value.ok) kept = closed;
      // What could not be kept is tried again with the next that is allowed, unless a newer state came.
      else wanted ??= closed;
    };
    // One after the other: a state that equals the kept one may still differ from the one that is on its way.
    const inTurn = (): Promise<void> => (running = running.then(commit));
    const rest = (): void => {
      resting ??= setTimeout(
        guard(() => {
          resting = undefined;
          allowed += 1;
          if (allowed < COMMIT_BURST) rest();
          return keep();
        }),
        COMMIT_PAUSE_MS,
      );
    };
    const keep = async (): Promise<void> => {
      if (wanted === null || allowed === 0) return;
      allowed -= 1;
      rest();
      await inTurn();
    };

    onEvent(({ closed }) => {
      wanted = closed;
      return keep();
    });
    const recall = async (): Promise<void> => {
      const answer = await registry.ask('store', { type: 'store.read', section: relay }, ASK_BOUND_MS);
      if (signal.aborted) return;
      if (!answer.ok || !answer.value.ok) {
        recalling = setTimeout(guard(recall), RECALL_PAUSE_MS);
        return;
      }
      const found = remembered.safeParse(answer.value.value);
      kept = found.success ? found.data.closed : null;
      send({ type: 'relay.recalled', closed: kept });
    };
    guard(recall)();
    return () => {
      clearTimeout(resting);
      clearTimeout(recalling);
      return inTurn();
    };
  });
