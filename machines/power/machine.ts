import { assign, sendTo } from 'xstate';

import { crashed, outcomeOf, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import { checking } from '../kit/verdict.ts';
import { withEvent } from '../kit/with-event.ts';
import type { PowerContext, PowerDriverCommand, PowerEvent, PowerFact, RebootFact, RouteFact } from './events.ts';

/** Requests within this many milliseconds of the first one are the same reboot. */
export const ONE_REBOOT_MS = 60_000;
/** The same on the simulated panel, in milliseconds: nothing reboots there. */
export const ONE_SIMULATED_REBOOT_MS = 5000;
/** How often a machine without a way to reboot is probed again, in milliseconds. */
export const PROBE_INTERVAL_MS = 60_000;

const rebootOutcomes = {
  'reboot.asked': 'asked',
  'reboot.begun': 'begun',
  'reboot.refused': 'refused',
} as const satisfies Record<RebootFact['type'], string>;

/** Full context of the power machine. */
export interface PowerMachineContext extends PowerContext {
  /** Origin of the reboot in progress. */
  readonly origin: string;
}

/** Rebooting: checks whether it can be done without doing it, and does it at most once per minute. */
export const powerMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as PowerMachineContext,
    events: {} as PowerEvent,
    output: {} as WorkerOutcome,
  },
  actors: { machine: placeholder<PowerDriverCommand, undefined, PowerFact>() },
  delays: {
    oneReboot: ({ context }) => (context.route === 'simulated' ? ONE_SIMULATED_REBOOT_MS : ONE_REBOOT_MS),
    probeInterval: PROBE_INTERVAL_MS,
  },
  guards: { hasRoute: (_, { route }: RouteFact) => route !== null },
  actions: {
    judge: assign((_, { verdict, route }: RouteFact) => ({ verdict, route })),
    begin: assign((_, { origin }: Extract<PowerEvent, { type: 'power.reboot' }>) => ({ origin, busy: true })),
    rest: assign({ busy: false }),
    reboot: sendTo('machine', { type: 'reboot.do' }),
    probe: sendTo('machine', { type: 'reboot.probe' }),
    note: assign(({ context }, { type, at }: RebootFact) => ({
      lastReboot: { origin: context.origin, at, outcome: rebootOutcomes[type] },
    })),
  },
}).createMachine({
  id: 'power',
  context: { verdict: checking, route: null, lastReboot: null, busy: false, origin: '' },
  invoke: { id: 'machine', src: 'machine', onError: '.failed' },
  output: outcomeOf,
  initial: 'probing',
  states: {
    probing: {
      on: {
        'reboot.route': [
          { guard: withEvent('hasRoute'), target: 'ready', actions: withEvent('judge') },
          { target: 'unavailable', actions: withEvent('judge') },
        ],
      },
    },
    unavailable: {
      on: {
        'reboot.route': [
          { guard: withEvent('hasRoute'), target: 'ready', actions: withEvent('judge') },
          { actions: withEvent('judge') },
        ],
        'power.probe': { actions: 'probe' },
      },
      after: { probeInterval: { target: 'unavailable', reenter: true, actions: 'probe' } },
    },
    ready: {
      on: {
        'power.reboot': { target: 'rebooting', actions: [withEvent('begin'), 'reboot'] },
        // Stays here: a reboot requested while the answer is pending must not be lost.
        'power.probe': { actions: 'probe' },
        'reboot.route': [
          { guard: withEvent('hasRoute'), actions: withEvent('judge') },
          { target: 'unavailable', actions: withEvent('judge') },
        ],
      },
    },
    rebooting: {
      on: {
        'reboot.asked': { actions: withEvent('note') },
        'reboot.begun': { actions: withEvent('note') },
        // Refused: find out why, and allow another request.
        'reboot.refused': { target: 'probing', actions: [withEvent('note'), 'rest', 'probe'] },
      },
      after: { oneReboot: { target: 'ready', actions: 'rest' } },
    },
    failed: { type: 'final', output: crashed('power-driver') },
  },
});
