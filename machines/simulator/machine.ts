import { assign, sendTo, setup } from 'xstate';

import { crashed, outcomeOf, stopped, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import type {
  SimulatedPanel,
  SimulatorContext,
  SimulatorDriverCommand,
  SimulatorEvent,
  SimulatorFact,
} from './events.ts';

// Stands until the driver's first report, which comes with its start.
const unreported: SimulatedPanel = {
  screen: { raw: 0, rawMax: 1, powered: false },
  led: { on: false, red: 0, green: 0, blue: 0 },
  relays: [false, false, false, false],
  buttonBacklight: 0,
  buttonLeds: [false, false, false, false],
  buttons: [null, null, null, null],
  held: [false, false, false, false],
  lux: 0,
  celsius: 0,
  humidity: 0,
  proximity: 0,
  zigbee: { running: false, joined: false, cpuPercent: 0 },
  unplugged: [],
  volume: { percent: 0, muted: false },
  reboots: 0,
};

/** The simulated panel's page: passes hands on to the simulated hardware and shows what became of it. */
export const simulatorMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as SimulatorContext,
    events: {} as SimulatorEvent,
    output: {} as WorkerOutcome,
  },
  actors: { panel: placeholder<SimulatorDriverCommand, undefined, SimulatorFact>() },
  actions: {
    show: assign(({ event }) => (event.type === 'simulator.changed' ? { panel: event.panel } : {})),
    touch: sendTo('panel', ({ event }) => event),
  },
}).createMachine({
  id: 'simulator',
  context: { panel: unreported },
  invoke: { id: 'panel', src: 'panel', onError: '.failed' },
  output: outcomeOf,
  initial: 'running',
  on: { 'simulator.stop': '.stopped' },
  states: {
    running: {
      on: {
        'simulator.changed': { actions: 'show' },
        'simulator.press': { actions: 'touch' },
        'simulator.hold': { actions: 'touch' },
        'simulator.light': { actions: 'touch' },
        'simulator.air': { actions: 'touch' },
        'simulator.near': { actions: 'touch' },
        'simulator.zigbee': { actions: 'touch' },
        'simulator.plug': { actions: 'touch' },
        'simulator.relay': { actions: 'touch' },
        'simulator.led': { actions: 'touch' },
        'simulator.screen': { actions: 'touch' },
      },
    },
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed('simulator-driver') },
  },
});
