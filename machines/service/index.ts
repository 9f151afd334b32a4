import { subsystem } from '../subsystem.ts';
import type { ServiceActor } from './events.ts';

/** The link to the service manager; the live stream shows none of its facts. */
export const service = subsystem<ServiceActor>()({
  ids: ['service'],
  group: 'heartbeat',
  supervisionGroups: [
    {
      id: 'heartbeat',
      within: 'upkeep',
      after: null,
      strategy: 'one_for_one',
      onGiveUp: 'park',
      // Far less than a service manager's watchdog waits before it kills a healthy agent.
      parkRetryMs: 5000,
    },
  ],
});
