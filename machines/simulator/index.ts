import { subsystem } from '../subsystem.ts';
import type { SimulatorActor } from './events.ts';

/** The hands on the simulated panel. */
export const simulator = subsystem<SimulatorActor>()({
  ids: ['simulator'],
  group: 'panel',
  tags: [{ id: 'simulator', about: 'The hardware of the simulated panel; not there on real hardware.', after: 'api' }],
});
