import { rowsOf } from '../kit/entity.ts';
import type { SnapshotView } from '../kit/snapshot.ts';
import { gatewayAttributes } from './attributes.ts';
import type { ZigbeeContext, ZigbeeActor } from './events.ts';

const gateway = (snapshot: SnapshotView<ZigbeeContext>): ZigbeeContext => snapshot.context;

/** Health of the Zigbee gateway (contract, "Platform entities"); present only if the profile declares one. */
export const rows = rowsOf<ZigbeeActor>([
  {
    entityKind: 'sensor',
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
]);
