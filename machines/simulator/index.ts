import { subsystem } from '../subsystem.ts';
import type { SimulatorActor } from './events.ts';

/** Manual control of the simulated panel. */
export const simulator = subsystem<SimulatorActor>()({
  ids: ['simulator'],
  group: 'panel',
  runsOn: 'simulated',
  tags: [{ id: 'simulator', about: 'The hardware of the simulated panel; absent on real hardware.', after: 'api' }],
  problems: {
    'not-this-machine': 403,
    'day-busy': 503,
    'bad-sound': 400,
    'no-speech-program': 503,
    'speech-failed': 503,
  },
});
