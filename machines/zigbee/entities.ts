import type { EntityRow } from '../kit/entity.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import { gatewayAttributes } from './attributes.ts';
import type { ZigbeeContext } from './events.ts';

// The catalogue hands a row only snapshots of the actor it names, whose context has this type.
const gateway = (snapshot: SnapshotView): ZigbeeContext => snapshot.context as ZigbeeContext;

/** Health of the Zigbee gateway (contract, "Platform entities"); only where the profile declares one. */
export const rows: readonly EntityRow[] = [
  {
    platform: 'sensor',
    key: 'zigbee_gateway_health',
    name: 'Zigbee gateway health',
    icon: 'mdi:zigbee',
    category: 'diagnostic',
    actor: 'zigbee',
    capability: 'zigbee',
    available: (snapshot) => gateway(snapshot).state !== 'unchecked',
    read: (snapshot) => gateway(snapshot).state,
    attributes: (snapshot) => gatewayAttributes(gateway(snapshot)),
  },
];
