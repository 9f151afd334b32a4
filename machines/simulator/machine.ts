import { assign, emit, sendTo } from 'xstate';

import { crashed, outcomeOf, type ReplyEvent, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import { withEvent } from '../kit/with-event.ts';
import type {
  DayFact,
  DayOutcome,
  DayRequest,
  SayFact,
  SayOutcome,
  SayRequest,
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
  camera: { plugged: false, permitted: true, blind: false, jammed: false, occupied: false },
  microphone: { plugged: false, permitted: true, muted: false, stalled: false, occupied: false },
  reboots: 0,
};

const passed = { actions: withEvent('pass') } as const;

/** The simulated panel's page: passes actions to the simulated hardware, shows its state, plays days and speaks. */
export const simulatorMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as SimulatorContext,
    events: {} as SimulatorEvent,
    emitted: {} as ReplyEvent<DayOutcome | SayOutcome>,
    output: {} as WorkerOutcome,
  },
  actors: {
    source: placeholder<SimulatorDriverCommand, undefined, SimulatorFact>(),
    day: placeholder<DayRequest, undefined, DayFact>(),
    speech: placeholder<SayRequest, undefined, SayFact>(),
  },
  actions: {
    note: assign((_, { panel }: SimulatorFact) => ({ panel })),
    // Unchanged.
    pass: sendTo('source', (_, command: SimulatorDriverCommand) => command),
    play: sendTo('day', (_, request: DayRequest) => request),
    say: sendTo('speech', (_, request: SayRequest) => request),
    reply: emit((_, { requestId, outcome }: DayFact | SayFact) => ({ type: 'reply' as const, requestId, outcome })),
  },
}).createMachine({
  id: 'simulator',
  context: { panel: unreported },
  initial: 'watching',
  states: {
    watching: {
      invoke: [
        { id: 'source', src: 'source', onError: 'failed' },
        { id: 'day', src: 'day', onError: 'failed' },
        { id: 'speech', src: 'speech', onError: 'failed' },
      ],
      on: {
        'simulator.changed': { actions: withEvent('note') },
        'simulator.press': passed,
        'simulator.hold': passed,
        'simulator.light': passed,
        'simulator.air': passed,
        'simulator.near': passed,
        'simulator.zigbee': passed,
        'simulator.plug': passed,
        'simulator.relay': passed,
        'simulator.led': passed,
        'simulator.backlight': passed,
        'simulator.camera': passed,
        'simulator.microphone': passed,
        'simulator.screen': passed,
        'simulator.day': { actions: withEvent('play') },
        'simulator.played': { actions: withEvent('reply') },
        'simulator.say': { actions: withEvent('say') },
        'simulator.said': { actions: withEvent('reply') },
      },
    },
    failed: {
      type: 'final',
      output: crashed({ source: 'simulator-driver', day: 'day-driver', speech: 'speech-driver' }),
    },
  },
  output: outcomeOf,
});
