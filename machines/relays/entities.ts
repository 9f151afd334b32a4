import { rowsOf } from '../kit/entity.ts';
import { ok } from '../kit/result.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import { type RelayContext, type RelayActor, relayIds } from './events.ts';

const relay = (snapshot: SnapshotView<RelayContext>): RelayContext => snapshot.context;

/** Each relay as a switch; what the profile does not declare is left out. */
export const rows = rowsOf<RelayActor>(
  relayIds.map((id, index) => ({
    platform: 'switch',
    key: id,
    name: `Relay ${index + 1}`,
    icon: 'mdi:electric-switch',
    actor: id,
    capability: id,
    available: (snapshot) => relay(snapshot).here,
    read: (snapshot) => relay(snapshot).closed,
    write: (on) => {
      const event: RelayActor['event'] = { type: 'relay.set', closed: on, origin: 'home-assistant' };
      return ok(event);
    },
  })),
);
