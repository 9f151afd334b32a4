import { autoBrightnessSpec } from '#actors/auto-brightness.ts';
import type { Part } from '#actors/kit/part.ts';
import { minuteFiles } from '#drivers/auto-brightness/minute-files.ts';
import { roomDriver } from '#drivers/auto-brightness/room.ts';
import { chartOf } from '#machines/auto-brightness/chart.ts';
import { fitMinutes } from '#machines/auto-brightness/fit.ts';
import { followRoom } from '#machines/auto-brightness/follow.ts';
import { minutesOf } from '#machines/auto-brightness/minutes.ts';
import type { PartDeps } from './deps.ts';

/** The brightness that follows the light of the room. */
export function autoBrightnessPart({ registry, folder, now, readOnly }: PartDeps): Part {
  const model = { follow: followRoom, fit: fitMinutes, chart: chartOf, recorded: minutesOf };
  const files = minuteFiles({ folder, now });
  const elapsed = (): number => performance.now();
  return autoBrightnessSpec({
    registry,
    readOnly,
    room: (wiring) => roomDriver({ ...wiring, model, files, now, elapsed }),
  });
}
