import { assign, type EventObject, sendTo, setup } from 'xstate';

import { outcomeOf, STOPPED, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import type { EpochMs } from '../kit/units.ts';
import { checking } from '../kit/verdict.ts';
import { allSettledLit, displaysToWake, isNews, wakeStart, wakeTime } from './decide.ts';
import type { InputContext, InputDriverCommand, InputEvent, SeenDisplay, WakeCommand } from './events.ts';

/** Everything the input machine remembers. */
export interface InputMachineContext extends InputContext {
  /** The displays by their registry ids. */
  readonly displays: Readonly<Record<string, SeenDisplay>>;
  /** The touch that asked for light, until the screen says that it is on. */
  readonly wokenAt: EpochMs | null;
}

/** Listens to touch and keys, and lights what is dark by itself: no part of this goes through the network. */
export const inputMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as InputMachineContext,
    events: {} as InputEvent,
    output: {} as WorkerOutcome,
  },
  actors: {
    devices: placeholder<InputDriverCommand>(),
    screens: placeholder<EventObject>(),
    wake: placeholder<WakeCommand>(),
  },
  guards: {
    findsDark: ({ context, event }) => event.type === 'input.touched' && displaysToWake(context.displays).length > 0,
    isNews: ({ context, event }) => event.type === 'input.touched' && isNews(context.last, event),
  },
  actions: {
    judge: assign(({ event }) => (event.type === 'input.devices' ? { verdict: event.verdict, counts: event.counts } : {})),
    remember: assign(({ event }) => (event.type === 'input.touched' ? { last: { kind: event.kind, at: event.at } } : {})),
    // Before anything else: the light is what somebody waits for.
    light: sendTo('wake', ({ context }) => ({ type: 'wake.light' as const, displays: displaysToWake(context.displays) })),
    time: assign(({ context, event }) => (event.type === 'input.touched' ? { wokenAt: wakeStart(context.wokenAt, event.at) } : {})),
    see: assign(({ context, event }) => {
      if (event.type !== 'screen.seen') return {};
      const displays = { ...context.displays, [event.id]: event.display };
      const took = wakeTime(context.wokenAt, event.display);
      if (took !== null) return { displays, lastWakeMs: took, wakes: context.wakes + 1, wokenAt: null };
      // Lit by somebody else in the meantime: the next touch is measured anew.
      return allSettledLit(displays) ? { displays, wokenAt: null } : { displays };
    }),
    look: sendTo('devices', { type: 'input.look' }),
  },
}).createMachine({
  id: 'input',
  context: { verdict: checking, counts: { touch: 0, key: 0, pointer: 0 }, last: null, wakes: 0, lastWakeMs: -1, displays: {}, wokenAt: null },
  initial: 'listening',
  states: {
    listening: {
      invoke: [
        { id: 'wake', src: 'wake', onError: 'wakeFailed' },
        { id: 'screens', src: 'screens', onError: 'screensFailed' },
        { id: 'devices', src: 'devices', onError: 'devicesFailed' },
      ],
      on: {
        'input.devices': { actions: 'judge' },
        'input.touched': [{ guard: 'findsDark', actions: ['time', 'light', 'remember'] }, { guard: 'isNews', actions: 'remember' }],
        'screen.seen': { actions: 'see' },
        'input.probe': { actions: 'look' },
        'input.stop': 'stopped',
      },
    },
    stopped: { type: 'final', output: STOPPED },
    devicesFailed: { type: 'final', output: 'input-driver-crashed' },
    screensFailed: { type: 'final', output: 'screen-follower-crashed' },
    wakeFailed: { type: 'final', output: 'wake-crashed' },
  },
  output: ({ event }) => outcomeOf(event, typeof event.output === 'string' ? event.output : 'input-driver-crashed'),
});
