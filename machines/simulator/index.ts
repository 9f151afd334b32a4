import { subsystem } from '../subsystem.ts';
import type { SimulatorActor } from './events.ts';

/** The hands on the simulated panel. */
export const simulator = subsystem<SimulatorActor>()({
  ids: ['simulator'],
  group: 'panel',
  runsOn: 'simulated',
  tags: [{ id: 'simulator', about: 'The hardware of the simulated panel; not there on real hardware.', after: 'api' }],
});
