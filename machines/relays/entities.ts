import type { EntityRow } from '../kit/entity.ts';
import { ok } from '../kit/result.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import { type RelayContext, type RelayEvent, relayIds } from './events.ts';

// A row reads only the actor it names, and that actor's context is a RelayContext.
const relay = (snapshot: SnapshotView): RelayContext => snapshot.context as RelayContext;

/** Each relay as a switch; what the profile does not declare is left out. */
export const rows: readonly EntityRow[] = relayIds.map((id, index) => ({
  platform: 'switch',
  key: id,
  name: `Relay ${index + 1}`,
  icon: 'mdi:electric-switch',
  actor: id,
  capability: id,
  available: (snapshot) => relay(snapshot).here,
  read: (snapshot) => relay(snapshot).closed,
  write: (on) => {
    const event: RelayEvent = { type: 'relay.set', closed: on, origin: 'home-assistant' };
    return ok(event);
  },
}));
