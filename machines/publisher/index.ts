import { subsystem } from '../subsystem.ts';
import type { PublisherActor } from './events.ts';
import { history } from './history.ts';
import { status, warnings } from './status.ts';

/** Manifest of the publisher. */
export const publisher = subsystem<PublisherActor>()({
  ids: ['publisher'],
  group: 'broker',
  status,
  warnings,
  historyKinds: [
    { kind: 'platform', about: 'home', icon: 'mdi:home-assistant' },
    { kind: 'command', about: 'home', icon: 'mdi:alert' },
  ],
  history,
  sections: { announced: 'panel' },
});
