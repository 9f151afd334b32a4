import type { ActorId } from '#machines/actors.ts';
import { slotRows } from '#profiles/slots.ts';
import type { PartDeps } from './deps.ts';

/**
 * With a service manager the unit's own step lights the screen, and a read-only agent has nothing to put right.
 */
export const needsWatcher = ({ profile, service, readOnly }: PartDeps): boolean =>
  !profile.simulated && profile.slots.screen.length > 0 && service.socket === null && !readOnly;

/** The parts that do not run on every panel, and whether each runs on this one. */
export function optionalParts(deps: PartDeps): ReadonlyMap<ActorId, boolean> {
  const { profile } = deps;
  const inSlots = slotRows.flatMap(([name, { ids }]) => {
    const filled = [profile.slots[name]].flat().filter((slot) => slot !== null).length;
    return ids.map((id, index): readonly [ActorId, boolean] => [id, index < filled]);
  });
  return new Map<ActorId, boolean>([
    ...inSlots,
    ['simulator', profile.simulator !== null],
    ['adb', profile.adb !== null],
    ['relight', needsWatcher(deps) && deps.relight !== null],
    ['advertiser', deps.responder !== null],
  ]);
}
