import { assign, enqueueActions, type EventObject, sendTo, setup } from 'xstate';

import { crashed, outcomeOf, stopped, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import type { EpochMs } from '../kit/units.ts';
import { checking } from '../kit/verdict.ts';
import { afterChange, afterStill, dueIn, noButtons } from './buttons.ts';
import { allSettledLit, displaysToWake, isNews, wakeStart, wakeTime } from './decide.ts';
import type {
  InputContext,
  InputDriverCommand,
  InputEvent,
  InputFact,
  SeenDisplay,
  SeenFact,
  WakeCommand,
} from './events.ts';
import { KEEP_BOUND_MS, keepsTouch, overdueDisplays, stubbornAfter } from './grab.ts';

/** Everything the input machine remembers. */
export interface InputMachineContext extends InputContext {
  /** The displays by their registry ids. */
  readonly displays: Readonly<Record<string, SeenDisplay>>;
  /** The touch that asked for light, until the screen says that it is on. */
  readonly wokenAt: EpochMs | null;
  /** Displays that stayed dark although they were switched on. */
  readonly stubborn: readonly string[];
  /** Whether a touch waits for light, so that a further one does not prolong the wait. */
  readonly awaiting: boolean;
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
    devices: placeholder<InputDriverCommand, undefined, InputFact>(),
    screens: placeholder<EventObject, undefined, SeenFact>(),
    wake: placeholder<WakeCommand, undefined, never>(),
  },
  delays: {
    keepBound: KEEP_BOUND_MS,
  },
  guards: {
    findsDark: ({ context, event }) => event.type === 'input.touched' && displaysToWake(context.displays).length > 0,
    isNews: ({ context, event }) => event.type === 'input.touched' && isNews(context.last, event),
  },
  actions: {
    judge: assign(({ event }) =>
      event.type === 'input.devices'
        ? { verdict: event.verdict, counts: event.counts, named: event.buttons ?? [] }
        : {},
    ),
    remember: assign(({ event }) =>
      event.type === 'input.touched' ? { last: { kind: event.kind, at: event.at } } : {},
    ),
    // Before anything else: the light is what somebody waits for.
    light: sendTo('wake', ({ context }) => ({
      type: 'wake.light' as const,
      displays: displaysToWake(context.displays),
    })),
    time: assign(({ context, event }) =>
      event.type === 'input.touched' ? { wokenAt: wakeStart(context.wokenAt, event.at) } : {},
    ),
    see: assign(({ context, event }) => {
      if (event.type !== 'screen.seen') return {};
      const displays = { ...context.displays, [event.id]: event.display };
      const stubborn = stubbornAfter(context.stubborn, event.id, context.displays[event.id], event.display);
      const seen = { displays, stubborn, keeps: keepsTouch(displays, stubborn) };
      const took = wakeTime(context.wokenAt, event.display);
      if (took !== null) return { ...seen, lastWakeMs: took, wakes: context.wakes + 1, wokenAt: null };
      // Lit by somebody else in the meantime: the next touch is measured anew.
      return allSettledLit(displays) ? { ...seen, wokenAt: null } : seen;
    }),
    giveUp: assign(({ context }) => {
      const stubborn = [...new Set([...context.stubborn, ...overdueDisplays(context.displays)])];
      return { stubborn, keeps: keepsTouch(context.displays, stubborn), awaiting: false };
    }),
    keep: sendTo('devices', ({ context }) => ({ type: 'input.keep' as const, on: context.keeps })),
    awaitLight: enqueueActions(({ context, enqueue }) => {
      if (context.awaiting) return;
      enqueue.assign({ awaiting: true });
      enqueue.raise({ type: 'wake.overdue' }, { id: 'wakeOverdue', delay: 'keepBound' });
    }),
    awaitNothing: enqueueActions(({ context, enqueue }) => {
      if (!context.awaiting || context.keeps) return;
      enqueue.assign({ awaiting: false });
      enqueue.cancel('wakeOverdue');
    }),
    feel: assign(({ event }) =>
      event.type === 'input.grip' ? { grip: { held: event.held, refused: event.refused } } : {},
    ),
    takeButton: assign(({ context, event }) =>
      event.type === 'input.button' ? { buttons: afterChange(context.buttons, event) } : {},
    ),
    takeStill: assign(({ context, event }) =>
      event.type === 'input.settled' ? { buttons: afterStill(context.buttons, event.at) } : {},
    ),
    awaitLong: enqueueActions(({ context, event, enqueue }) => {
      enqueue.cancel('longPress');
      const delay =
        event.type === 'input.button' || event.type === 'input.settled' ? dueIn(context.buttons, event.at) : null;
      if (delay !== null) enqueue.raise({ type: 'button.due' }, { id: 'longPress', delay });
    }),
    // A release may have come and not been read yet: the driver reads first.
    settle: sendTo('devices', { type: 'input.settle' }),
    look: sendTo('devices', { type: 'input.look' }),
  },
}).createMachine({
  id: 'input',
  context: {
    verdict: checking,
    counts: { touch: 0, key: 0, pointer: 0 },
    last: null,
    wakes: 0,
    lastWakeMs: -1,
    keeps: false,
    grip: { held: 0, refused: null },
    named: [],
    buttons: noButtons,
    displays: {},
    wokenAt: null,
    stubborn: [],
    awaiting: false,
  },
  initial: 'listening',
  states: {
    listening: {
      invoke: [
        { id: 'wake', src: 'wake', onError: 'failed' },
        { id: 'screens', src: 'screens', onError: 'failed' },
        { id: 'devices', src: 'devices', onError: 'failed' },
      ],
      on: {
        'input.devices': { actions: 'judge' },
        'input.touched': [
          { guard: 'findsDark', actions: ['time', 'light', 'remember', 'awaitLight'] },
          { guard: 'isNews', actions: 'remember' },
        ],
        'input.button': { actions: ['takeButton', 'awaitLong'] },
        'button.due': { actions: 'settle' },
        'input.settled': { actions: ['takeStill', 'awaitLong'] },
        'input.grip': { actions: 'feel' },
        'screen.seen': { actions: ['see', 'keep', 'awaitNothing'] },
        'wake.overdue': { actions: ['giveUp', 'keep'] },
        'input.probe': { actions: 'look' },
        'input.stop': 'stopped',
      },
    },
    stopped: { type: 'final', output: stopped },
    failed: { type: 'final', output: crashed({ devices: 'input-driver', screens: 'screen-follower', wake: 'wake' }) },
  },
  output: outcomeOf,
});
