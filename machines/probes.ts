import type { ActorId, AnyActor } from './actors.ts';
import type { TellEventOf } from './kit/actor.ts';
import type { Manifest } from './subsystem.ts';
import { subsystems } from './subsystems.ts';

const manifests: readonly Manifest[] = subsystems;

/** A request to an actor to probe again. */
export interface Probe {
  readonly id: ActorId;
  /** The event that this actor takes as the request. */
  readonly event: TellEventOf<AnyActor>;
}

/** Every actor that probes again when a person checks again, with the event that it takes. */
export const probes: readonly Probe[] = manifests.flatMap(({ ids, probe }) =>
  probe === undefined ? [] : ids.map((id) => ({ id, event: probe })),
);
