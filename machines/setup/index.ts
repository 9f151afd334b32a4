import { subsystem } from '../subsystem.ts';
import type { SetupActor } from './events.ts';
import { status } from './status.ts';

/** The progress of the panel's setup. */
export const panelSetup = subsystem<SetupActor>()({
  ids: ['setup'],
  group: 'upkeep',
  status,
  sections: { setup: 'panel' },
});
