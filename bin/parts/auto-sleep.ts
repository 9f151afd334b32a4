import { autoSleepSpec } from '#actors/auto-sleep.ts';
import type { Part } from '#actors/kit/part.ts';
import { sleepDriver } from '#drivers/auto-sleep/sleep.ts';
import { followSleep } from '#machines/auto-sleep/follow.ts';
import { MINIMUM_LEASE_MS } from '#machines/auto-sleep/presence.ts';
import { replayOf, WARMUP_MS } from '#machines/auto-sleep/replay.ts';
import type { PartDeps } from './deps.ts';

/** When the screen sleeps and wakes. */
export function autoSleepPart({ registry, now, readOnly }: PartDeps): Part {
  const model = { follow: followSleep, replay: replayOf, warmupMs: WARMUP_MS, minimumLeaseMs: MINIMUM_LEASE_MS };
  const elapsed = (): number => performance.now();
  return autoSleepSpec({
    registry,
    readOnly,
    sleep: (wiring) => sleepDriver({ ...wiring, model, now, elapsed }),
  });
}
