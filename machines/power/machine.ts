import { assign, sendTo, setup } from 'xstate';

import { crashed, outcomeOf, stopped, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { checking } from '../kit/verdict.ts';
import type { PowerContext, PowerDriverCommand, PowerEvent, PowerFact } from './events.ts';

/** Requests within this many milliseconds of the first are the same reboot. */
export const ONE_REBOOT_MS = 60_000;
/** The same on the simulated panel, in milliseconds: nothing reboots there, so nothing has to be waited for. */
export const ONE_SIMULATED_REBOOT_MS = 5000;
/** How often a machine without a way to reboot is looked at again, in milliseconds. */
export const PROBE_INTERVAL_MS = 60_000;

/** Everything the power machine remembers. */
export interface PowerMachineContext extends PowerContext {
  /** Who asked for the reboot under way. */
  readonly origin: string;
}

/** Rebooting: whether it can be done, found out without doing it, and doing it once per minute at most. */
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
  guards: { hasRoute: ({ event }) => event.type === 'reboot.route' && event.route !== null },
  actions: {
    judge: assign(({ event }) => (event.type === 'reboot.route' ? { verdict: event.verdict, route: event.route } : {})),
    ask: assign(({ event }) => (event.type === 'power.reboot' ? { origin: event.origin, busy: true } : {})),
    rest: assign({ busy: false }),
    reboot: sendTo('machine', { type: 'reboot.do' }),
    probe: sendTo('machine', { type: 'reboot.probe' }),
    note: assign(({ context, event }) => {
      const outcome =
        event.type === 'reboot.asked'
          ? 'asked'
          : event.type === 'reboot.begun'
            ? 'begun'
            : event.type === 'reboot.refused'
              ? 'refused'
              : null;
      return outcome !== null && 'at' in event ? { lastReboot: { origin: context.origin, at: event.at, outcome } } : {};
    }),
  },
}).createMachine({
  id: 'power',
  context: { verdict: checking, route: null, lastReboot: null, busy: false, origin: '' },
  invoke: { id: 'machine', src: 'machine', onError: '.failed' },
  output: outcomeOf,
  initial: 'probing',
  on: { 'power.stop': '.stopped' },
  states: {
    probing: {
      on: {
        'reboot.route': [
          { guard: 'hasRoute', target: 'ready', actions: 'judge' },
          { target: 'unavailable', actions: 'judge' },
        ],
      },
    },
    unavailable: {
      on: {
        'reboot.route': [{ guard: 'hasRoute', target: 'ready', actions: 'judge' }, { actions: 'judge' }],
        'power.probe': { actions: 'probe' },
      },
      after: { probeInterval: { target: 'unavailable', reenter: true, actions: 'probe' } },
    },
    ready: {
      on: {
        'power.reboot': { target: 'rebooting', actions: ['ask', 'reboot'] },
        // Stays here: a reboot asked for while the answer is under way must not be lost.
        'power.probe': { actions: 'probe' },
        'reboot.route': [
          { guard: 'hasRoute', actions: 'judge' },
          { target: 'unavailable', actions: 'judge' },
        ],
      },
    },
    rebooting: {
      on: {
        'reboot.asked': { actions: 'note' },
        'reboot.begun': { actions: 'note' },
        // Refused: look why, and let it be asked again.
        'reboot.refused': { target: 'probing', actions: ['note', 'rest', 'probe'] },
      },
      after: { oneReboot: { target: 'ready', actions: 'rest' } },
    },
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed('power-driver') },
  },
});
