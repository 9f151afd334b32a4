import { inUseSpec } from '#actors/in-use.ts';
import type { Part } from '#actors/kit/part.ts';
import type { PartDeps } from './deps.ts';

/** Shows the room that something is in use. */
export const inUsePart = ({ registry, profile, mark }: PartDeps): Part =>
  inUseSpec({
    registry,
    mark: mark.driver,
    simulated: profile.simulated,
    android: profile.adb !== null,
    elapsed: () => performance.now(),
  });
