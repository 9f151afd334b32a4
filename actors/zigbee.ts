import type { ZigbeeDriver } from '#machines/zigbee/events.ts';
import { zigbee } from '#machines/zigbee/index.ts';
import { zigbeeMachine } from '#machines/zigbee/machine.ts';

import { part, type Part } from './kit/part.ts';

export const zigbeeSpec = ({ driver }: { readonly driver: ZigbeeDriver }): Part =>
  part(zigbee, zigbeeMachine.provide({ actors: { source: driver } }));
