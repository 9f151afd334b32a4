import type { ActorId } from '#machines/actors.ts';
import type { RunsOn } from '#machines/subsystem.ts';
import { subsystems } from '#machines/subsystems.ts';
import { slotRows } from '#profiles/slots.ts';
import type { PartDeps } from './deps.ts';

/** With a service manager the unit's own step lights the screen, and a read-only agent has nothing to restore. */
export const needsWatcher = ({ profile, service, readOnly }: PartDeps): boolean =>
  !profile.simulated && profile.slots.screen.length > 0 && service.socket === null && !readOnly;

/** The parts that do not run on every panel, and if each runs on this one. */
export function optionalParts(deps: PartDeps): ReadonlyMap<ActorId, boolean> {
  const { profile } = deps;
  const is: Readonly<Record<RunsOn, boolean>> = {
    simulated: profile.simulator !== null,
    android: profile.adb !== null,
    announced: deps.responder !== null,
    filming: profile.camera !== null,
    listening: profile.microphone !== null,
    indicating: profile.camera !== null || profile.microphone !== null,
    unattended: needsWatcher(deps) && deps.relight !== null,
  };
  const inSlots = slotRows.flatMap(([name, { ids }]) => {
    const filled = [profile.slots[name]].flat().filter((slot) => slot !== null).length;
    return ids.map((id, index): readonly [ActorId, boolean] => [id, index < filled]);
  });
  const declared = subsystems.flatMap((manifest) =>
    'runsOn' in manifest ? manifest.ids.map((id): readonly [ActorId, boolean] => [id, is[manifest.runsOn]]) : [],
  );
  return new Map([...inSlots, ...declared]);
}
