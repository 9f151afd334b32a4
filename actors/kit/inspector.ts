import type { InspectionEvent } from 'xstate';

import type { EventRecord } from '#machines/status/inspection.ts';
import type { EpochMs } from '#machines/kit/units.ts';

import { boundedValue } from './chart.ts';

/** The last events of the agent, to look at while it runs. */
export interface Inspector {
  /** Passed to the root actor as `inspect`. It never throws: a throw there would wedge the inspected actor. */
  readonly inspect: (event: InspectionEvent) => void;
  /** The kept records after number `n`, oldest first; all of them without `n`. */
  readonly records: (n?: number) => readonly EventRecord[];
  /** Calls back once, at the next record; returns a function that cancels. */
  readonly onNext: (wake: () => void) => () => void;
}

const RING = 500;
/** Longest name of an event or an actor that is kept, in characters. */
const NAME_LENGTH = 120;

function nameOf(actor: unknown): string {
  if (typeof actor !== 'object' || actor === null) return 'unknown';
  if ('systemId' in actor && typeof actor.systemId === 'string') return actor.systemId;
  return 'id' in actor && typeof actor.id === 'string' ? actor.id : 'unknown';
}

/** The part that an actor without a systemId belongs to. */
function ownerOf(actor: unknown): string | null {
  if (typeof actor !== 'object' || actor === null || ('systemId' in actor && typeof actor.systemId === 'string'))
    return null;
  return '_parent' in actor && actor._parent !== undefined ? nameOf(actor._parent) : null;
}

/** A ring of the last 500 records. */
export function createInspector(now: () => EpochMs): Inspector {
  const ring: EventRecord[] = [];
  const wakers = new Set<() => void>();
  let count = 0;
  return {
    inspect: (inspection) => {
      try {
        // One record per event: the snapshot that follows it carries both the event and the state.
        if (inspection.type !== '@xstate.snapshot') return;
        const { snapshot, actorRef, event } = inspection;
        const value = 'value' in snapshot ? boundedValue(snapshot.value) : null;
        const record = {
          n: count + 1,
          actor: nameOf(actorRef).slice(0, NAME_LENGTH),
          of: ownerOf(actorRef),
          event: event.type.slice(0, NAME_LENGTH),
          value,
          at: now(),
        };
        ring[count % RING] = record;
        count += 1;
        for (const wake of wakers) {
          wakers.delete(wake);
          wake();
        }
      } catch {
        // What cannot be recorded is left out.
      }
    },
    records: (n = 0) => {
      const first = count % RING;
      const kept = count > RING ? [...ring.slice(first), ...ring.slice(0, first)] : ring.slice(0, count);
      return kept.slice(Math.max(0, kept.length - (count - n)));
    },
    onNext: (wake) => {
      wakers.add(wake);
      return () => void wakers.delete(wake);
    },
  };
}
