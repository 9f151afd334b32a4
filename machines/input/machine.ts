import { assign, enqueueActions, type EventObject, sendTo } from 'xstate';

import { crashed, outcomeOf, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import type { EpochMs } from '../kit/units.ts';
import { checking } from '../kit/verdict.ts';
import { withEvent } from '../kit/with-event.ts';
import { afterChange, afterSettled, dueIn, noButtons } from './buttons.ts';
import { displaysToWake, isChange, wakeStart } from './decide.ts';
import type { InputContext, InputDriverCommand, InputEvent, InputFact, ObservedFact, WakeCommand } from './events.ts';
import { countKeyboards } from './keyboard.ts';
import { GRAB_BOUND_MS, grabsTouch, overdueDisplays } from './grab.ts';
import { afterObserved, type DisplayFacts } from './observed.ts';

/** Full context of the input machine. */
export type InputMachineContext = InputContext & DisplayFacts;

type Of<T extends InputEvent['type']> = Extract<InputEvent, { readonly type: T }>;

/**
 * Listens to touch and keys, and lights dark displays without involving the network. A touch on a dark panel leads
 * from `calm` to `awaitingLight`, until the panel is lit or the wait is over.
 */
export const inputMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as InputMachineContext,
    events: {} as InputEvent,
    output: {} as WorkerOutcome,
  },
  actors: {
    devices: placeholder<InputDriverCommand, undefined, InputFact>(),
    screens: placeholder<EventObject, undefined, ObservedFact>(),
    wake: placeholder<WakeCommand, undefined, never>(),
  },
  delays: {
    grabBound: GRAB_BOUND_MS,
  },
  guards: {
    findsDark: ({ context }) => displaysToWake(context.displays).length > 0,
    isChange: ({ context }, touch: Of<'input.touched'>) => isChange(context.last, touch),
    endsWait: ({ context }, { id, display }: ObservedFact) => !afterObserved(context, id, display).grabs,
  },
  actions: {
    judge: assign(({ context }, { verdict, counts, buttons, letterKeys }: Of<'input.devices'>) => ({
      verdict,
      counts,
      named: buttons ?? [],
      keyboards: { ...context.keyboards, connected: countKeyboards(letterKeys ?? []) },
    })),
    noteOnScreen: assign(({ context }, { runs }: Of<'input.on-screen-keyboard'>) => ({
      keyboards: { ...context.keyboards, onScreen: runs },
    })),
    remember: assign((_, { kind, at }: Of<'input.touched'>) => ({ last: { kind, at } })),
    // First of all actions: a person is waiting for the light.
    light: sendTo('wake', ({ context }) => ({
      type: 'wake.light' as const,
      displays: displaysToWake(context.displays),
    })),
    time: assign(({ context }, { at }: Of<'input.touched'>) => ({ wokenAt: wakeStart(context.wokenAt, at) })),
    see: assign(({ context }, { id, display }: ObservedFact) => afterObserved(context, id, display)),
    giveUp: assign(({ context }) => {
      const stuck = [...new Set([...context.stuck, ...overdueDisplays(context.displays)])];
      return { stuck, grabs: grabsTouch(context.displays, stuck) };
    }),
    grab: sendTo('devices', ({ context }) => ({ type: 'input.grab' as const, on: context.grabs })),
    noteGrab: assign((_, { held, refused }: Of<'input.grabbed'>) => ({ grab: { held, refused } })),
    takeButton: assign(({ context }, change: Of<'input.button'>) => ({
      buttons: afterChange(context.buttons, change),
    })),
    takeSettled: assign(({ context }, { at }: Of<'input.settled'>) => ({
      buttons: afterSettled(context.buttons, at),
    })),
    awaitLong: enqueueActions(({ context, enqueue }, { at }: { readonly at: EpochMs }) => {
      enqueue.cancel('longPress');
      const delay = dueIn(context.buttons, at);
      if (delay !== null) enqueue.raise({ type: 'button.due' }, { id: 'longPress', delay });
    }),
    // A release may be pending in the driver, so it is read first.
    settle: sendTo('devices', { type: 'input.settle' }),
    scan: sendTo('devices', { type: 'input.scan' }),
  },
}).createMachine({
  id: 'input',
  context: {
    verdict: checking,
    counts: { touch: 0, key: 0, pointer: 0 },
    keyboards: { connected: 0, onScreen: false },
    last: null,
    wakes: 0,
    lastWakeMs: -1,
    grabs: false,
    grab: { held: 0, refused: null },
    named: [],
    buttons: noButtons,
    displays: {},
    wokenAt: null,
    stuck: [],
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
        'input.devices': { actions: withEvent('judge') },
        'input.touched': { guard: withEvent('isChange'), actions: withEvent('remember') },
        'input.button': { actions: [withEvent('takeButton'), withEvent('awaitLong')] },
        'button.due': { actions: 'settle' },
        'input.settled': { actions: [withEvent('takeSettled'), withEvent('awaitLong')] },
        'input.grabbed': { actions: withEvent('noteGrab') },
        'input.on-screen-keyboard': { actions: withEvent('noteOnScreen') },
        'screen.observed': { actions: [withEvent('see'), 'grab'] },
        'input.probe': { actions: 'scan' },
      },
      initial: 'calm',
      states: {
        calm: {
          on: {
            'input.touched': {
              guard: 'findsDark',
              target: 'awaitingLight',
              actions: [withEvent('time'), 'light', withEvent('remember')],
            },
          },
        },
        awaitingLight: {
          on: {
            // Another touch does not extend the wait.
            'input.touched': { guard: 'findsDark', actions: [withEvent('time'), 'light', withEvent('remember')] },
            'screen.observed': { guard: withEvent('endsWait'), target: 'calm', actions: [withEvent('see'), 'grab'] },
          },
          after: { grabBound: { target: 'calm', actions: ['giveUp', 'grab'] } },
        },
      },
    },
    failed: { type: 'final', output: crashed({ devices: 'input-driver', screens: 'screen-follower', wake: 'wake' }) },
  },
  output: outcomeOf,
});
