import type { AnyActorLogic } from 'xstate';

import { zigbeeMachine } from '#machines/zigbee/machine.ts';

import type { ChildSpec } from './kit/spec.ts';

/** The Zigbee gateway's watcher: permanent; asked to stop, it ends at once. `driver` is the profile's. */
export const zigbeeSpec = ({ driver }: { readonly driver: AnyActorLogic }): ChildSpec => ({
  id: 'zigbee',
  logic: zigbeeMachine.provide({ actors: { probe: driver } }),
  restart: 'permanent',
  stop: { event: { type: 'zigbee.stop' }, withinMs: 5 },
});
