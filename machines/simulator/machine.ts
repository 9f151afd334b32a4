import { observed } from '../kit/observed.ts';
import type {
  SimulatedPanel,
  SimulatorContext,
  SimulatorDriverCommand,
  SimulatorEvent,
  SimulatorFact,
} from './events.ts';

// Used until the driver's first report, which it sends as it starts.
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

/** Passes a command to the hardware unchanged. */
const pass = <C extends SimulatorDriverCommand>(_: SimulatorContext, command: C): C => command;

/** The simulated panel's page: passes manual actions to the simulated hardware and shows its state. */
export const simulatorMachine = observed<SimulatorContext, SimulatorEvent>()<SimulatorDriverCommand, SimulatorFact>({
  id: 'simulator',
  initial: () => ({ panel: unreported }),
  take: { 'simulator.changed': (_, { panel }) => ({ panel }) },
  hand: {
    'simulator.press': pass,
    'simulator.hold': pass,
    'simulator.light': pass,
    'simulator.air': pass,
    'simulator.near': pass,
    'simulator.zigbee': pass,
    'simulator.plug': pass,
    'simulator.relay': pass,
    'simulator.led': pass,
    'simulator.backlight': pass,
    'simulator.screen': pass,
  },
  failed: 'simulator-driver',
});
