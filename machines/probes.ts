import type { ActorId, AnyActor } from './actors.ts';
import type { TellEventOf } from './kit/actor.ts';
import type { Manifest } from './subsystem.ts';
import { subsystems } from './subsystems.ts';

const manifests: readonly Manifest[] = subsystems;

/** What asks an actor to probe again. */
export interface Probe {
  /** Whom it is for. */
  readonly id: ActorId;
  /** What that actor understands as the request. */
  readonly event: TellEventOf<AnyActor>;
}

/** Every actor that probes again when a person wants to know how it is now, with the event that it understands. */
export const probes: readonly Probe[] = manifests.flatMap(({ ids, probe }) =>
  probe === undefined ? [] : ids.map((id) => ({ id, event: probe })),
);
