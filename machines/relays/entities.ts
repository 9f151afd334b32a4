import { rowsOf, telling } from '../kit/entity.ts';
import { objectionOfPart } from '../kit/objection.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import { endOfWrite } from '../kit/write-end.ts';
import { type RelayContext, type RelayActor, relayIds } from './events.ts';

const relay = (snapshot: SnapshotView<RelayContext>): RelayContext => snapshot.context;

/** Each relay as a switch; those that the profile does not declare are left out. */
export const rows = rowsOf<RelayActor>(
  relayIds.map((id, index) => ({
    entityKind: 'switch',
    key: id,
    name: `Relay ${index + 1}`,
    icon: 'mdi:electric-switch',
    actor: id,
    capability: id,
    // A relay that was found works; every other verdict says why there is none.
    available: (snapshot) => relay(snapshot).verdict.state === 'working',
    read: (snapshot) => relay(snapshot).closed,
    protects: null,
    objection: (snapshot) => objectionOfPart(id, relay(snapshot).verdict),
    ends: (now) => endOfWrite('here', now),
    write: (on, origin) => telling<RelayActor>({ type: 'relay.set', closed: on, origin }),
  })),
);
