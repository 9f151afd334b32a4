import { assign, enqueueActions } from 'xstate';

import { crashed, outcomeOf, type ReplyEvent, stopped, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import { withEvent } from '../kit/with-event.ts';
import { CONFIRM_MS, judge, overdue, UNCONFIRMED_MS } from './decide.ts';
import type {
  HoldOutcome,
  InUseEvent,
  InUseRefusal,
  MarkCommand,
  MarkFact,
  SurroundingsCommand,
  SurroundingsFact,
} from './events.ts';
import {
  afterLed,
  afterPicture,
  answers,
  commandsFor,
  type InUseFacts,
  initialFacts,
  left,
  taken,
  wantedNow,
} from './facts.ts';

type Of<T extends InUseEvent['type']> = Extract<InUseEvent, { readonly type: T }>;

function isShownBy(facts: InUseFacts, by: 'overlay' | 'led'): boolean {
  const verdict = judge(facts);
  return verdict.is === 'shown' && verdict.by === by;
}

/** Why it is refused now, or has been open for too long. */
function refusalOf(facts: InUseFacts): InUseRefusal {
  const verdict = judge(facts);
  return verdict.is === 'refused' ? verdict.reason : overdue(facts);
}

/** A new picture while the mark is confirmed. */
const pictured = { target: 'overlay', reenter: true, actions: [withEvent('takePicture'), 'arrange'] } as const;

/** Shows the room that something is in use, by a mark in the tab in front or by the LED, and confirms it. */
export const inUseMachine = setup({
  types: {
    // Type carriers of the library's own design; their values are never read.
    context: {} as InUseFacts,
    events: {} as InUseEvent,
    emitted: {} as ReplyEvent<HoldOutcome>,
    output: {} as WorkerOutcome,
  },
  actors: {
    mark: placeholder<MarkCommand, undefined, MarkFact>(),
    surroundings: placeholder<SurroundingsCommand, undefined, SurroundingsFact>(),
  },
  delays: { unconfirmed: UNCONFIRMED_MS, silence: CONFIRM_MS + UNCONFIRMED_MS },
  guards: {
    isLastHolder: ({ context }, { holder }: Of<'in-use.release'>) => context.holders.every((one) => one === holder),
    isOverlay: ({ context }) => isShownBy(context, 'overlay'),
    isLed: ({ context }) => isShownBy(context, 'led'),
    isRefused: ({ context }) => judge(context).is === 'refused',
    isOpen: ({ context }) => judge(context).is === 'open',
    isEnding: ({ context }) => context.ending,
    // A mark that the page of a simulated panel draws is confirmed by no picture.
    isPictured: ({ context }) => context.wanted.mark,
  },
  actions: {
    take: assign(({ context }, event: Of<'in-use.hold'>) => taken(context, event)),
    leave: assign(({ context }, event: Of<'in-use.release'>) => left(context, event)),
    end: assign({ ending: true }),
    takePicture: assign((_, fact: MarkFact) => afterPicture(fact)),
    takePlace: assign((_, { place }: Of<'place.changed'>) => ({ place })),
    takeScreens: assign((_, { lit }: Of<'screens.changed'>) => ({ lit })),
    takeLed: assign((_, fact: Of<'led.changed'>) => afterLed(fact)),
    arrange: enqueueActions(({ context, enqueue }) => {
      const wanted = wantedNow(context);
      const { mark, led } = commandsFor(context.wanted, wanted);
      if (mark !== null) enqueue.sendTo('mark', mark);
      if (led !== null) enqueue.sendTo('surroundings', led);
      // A mark that was just asked for is in no picture yet.
      enqueue.assign({ wanted, marked: context.marked && context.wanted.mark && wanted.mark });
    }),
    beOpen: assign({ shown: 'none' as const, refusal: null }),
    beOverlay: assign({ shown: 'overlay' as const, refusal: null }),
    beLed: assign({ shown: 'led' as const, refusal: null }),
    beLost: assign(({ context }) => ({ shown: 'none' as const, refusal: refusalOf(context) })),
    beUnused: assign({ shown: 'none' as const, refusal: null, confirmedAt: null }),
    answer: enqueueActions(({ context, enqueue }) => {
      const { shown, refusal } = context;
      const outcome: HoldOutcome =
        shown === 'none' ? { status: 'refused', reason: refusal ?? 'unconfirmed' } : { status: 'shown', by: shown };
      for (const reply of answers(context, outcome)) enqueue.emit(reply);
      enqueue.assign({ waiting: [] });
    }),
  },
}).createMachine({
  id: 'in-use',
  options: { maxIterations: 10 },
  context: initialFacts,
  invoke: [
    { id: 'mark', src: 'mark', onError: '.failed' },
    { id: 'surroundings', src: 'surroundings', onError: '.failed' },
  ],
  initial: 'unused',
  on: {
    'place.changed': { actions: [withEvent('takePlace'), 'arrange'] },
    'screens.changed': { actions: [withEvent('takeScreens'), 'arrange'] },
    'led.changed': { actions: [withEvent('takeLed'), 'arrange'] },
    'mark.confirmed': { actions: [withEvent('takePicture'), 'arrange'] },
    'mark.unconfirmed': { actions: [withEvent('takePicture'), 'arrange'] },
    'mark.hidden': { actions: [withEvent('takePicture'), 'arrange'] },
    'in-use.stop': { actions: 'end' },
  },
  states: {
    unused: {
      entry: ['beUnused', 'arrange'],
      always: { guard: 'isEnding', target: 'stopped' },
      on: { 'in-use.hold': { target: 'held', actions: [withEvent('take'), 'arrange'] } },
    },
    held: {
      initial: 'confirming',
      on: {
        'in-use.hold': { target: '.confirming', actions: [withEvent('take'), 'arrange'] },
        'in-use.release': [
          { guard: withEvent('isLastHolder'), target: 'unused', actions: [withEvent('leave'), 'answer'] },
          { actions: withEvent('leave') },
        ],
      },
      states: {
        /** It is not known to be shown; what was shown before still is. */
        confirming: {
          entry: 'beOpen',
          always: [
            { guard: 'isOverlay', target: 'overlay' },
            { guard: 'isLed', target: 'led' },
            { guard: 'isRefused', target: 'lost' },
          ],
          after: { unconfirmed: 'lost' },
        },
        overlay: {
          entry: ['beOverlay', 'answer', 'arrange'],
          always: [
            { guard: 'isLed', target: 'led' },
            { guard: 'isRefused', target: 'lost' },
            { guard: 'isOpen', target: 'confirming' },
          ],
          on: { 'mark.confirmed': pictured },
          after: { silence: { guard: 'isPictured', target: 'lost' } },
        },
        led: {
          entry: ['beLed', 'answer', 'arrange'],
          always: [
            { guard: 'isOverlay', target: 'overlay' },
            { guard: 'isRefused', target: 'lost' },
            { guard: 'isOpen', target: 'confirming' },
          ],
        },
        /** What is in use has to end; the mark and the LED stay until it is released. */
        lost: { entry: ['beLost', 'answer'] },
      },
    },
    stopped: { type: 'final', output: stopped },
    failed: {
      type: 'final',
      output: crashed({ mark: 'mark-driver', surroundings: 'surroundings-follower' }),
    },
  },
  output: outcomeOf,
});
