import { subsystem } from '../subsystem.ts';
import type { SetupActor } from './events.ts';
import { status } from './status.ts';

/** How far the panel is set up. */
export const panelSetup = subsystem<SetupActor>()({
  ids: ['setup'],
  group: 'upkeep',
  status,
  sections: ['setup'],
});
