import type { InspectionEvent, StateValue } from 'xstate';

import type { EpochMs } from '#machines/kit/units.ts';

/** One event that an actor received and the state it was in afterwards; no payload is ever kept. */
export interface InspectionRecord {
  /** systemId of the actor, else its id within its parent. */
  readonly actor: string;
  readonly event: string;
  /** State value of a machine; null for other actors. */
  readonly value: StateValue | null;
  readonly at: EpochMs;
}

/** The last events of the agent, for a look while it runs. */
export interface Inspector {
  /** To be given to the root actor as `inspect`; it never throws, since a throw there would wedge the inspected actor. */
  readonly inspect: (event: InspectionEvent) => void;
  /** Oldest first. */
  readonly records: () => readonly InspectionRecord[];
}

/** How many records are kept (xstate facts 2.8). */
const RING = 500;

const nameOf = (actor: unknown): string => {
  if (typeof actor !== 'object' || actor === null) return 'unknown';
  if ('systemId' in actor && typeof actor.systemId === 'string') return actor.systemId;
  return 'id' in actor && typeof actor.id === 'string' ? actor.id : 'unknown';
};

/** A ring of the last 500 records. */
export const createInspector = (now: () => EpochMs): Inspector => {
  const ring: InspectionRecord[] = [];
  let next = 0;
  return {
    inspect: (inspection) => {
      try {
        // One record per event: the snapshot that follows it carries both the event and the state.
        if (inspection.type !== '@xstate.snapshot') return;
        const { snapshot, actorRef, event } = inspection;
        // A machine's snapshot has a value; its type is only known for machines.
        const value = 'value' in snapshot ? (snapshot.value as StateValue) : null;
        ring[next] = { actor: nameOf(actorRef), event: event.type, value, at: now() };
        next = (next + 1) % RING;
      } catch {
        // What cannot be recorded is left out.
      }
    },
    records: () => [...ring.slice(next), ...ring.slice(0, next)],
  };
};
