import { assign, enqueueActions } from 'xstate';

import { crashed, outcomeOf, type ReplyEvent, stopped, type WorkerOutcome } from '../kit/outcome.ts';
import { placeholder } from '../kit/placeholder.ts';
import { setup } from '../kit/setup.ts';
import { withEvent } from '../kit/with-event.ts';
import { CONFIRM_MS, judge, mayPass, overdue, UNCONFIRMED_MS, type Verdict } from './decide.ts';
import type {
  HoldOutcome,
  InUseEvent,
  InUseHolder,
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
  stillMarked,
  taken,
  wantedNow,
  withShown,
} from './facts.ts';

type Of<T extends InUseEvent['type']> = Extract<InUseEvent, { readonly type: T }>;

/** The holder that a transition or a guard is about. */
interface About {
  readonly holder: InUseHolder;
}

function verdictOf(facts: InUseFacts, holder: InUseHolder): Verdict {
  return judge({ ...facts, marked: facts.marked.includes(holder) });
}

function isShownBy(facts: InUseFacts, holder: InUseHolder, by: 'overlay' | 'led'): boolean {
  const verdict = verdictOf(facts, holder);
  return verdict.is === 'shown' && verdict.by === by;
}

/** Why it is refused now, or has been open for too long. */
function refusalOf(facts: InUseFacts, holder: InUseHolder): InUseRefusal {
  const verdict = verdictOf(facts, holder);
  return verdict.is === 'refused' ? verdict.reason : overdue(facts);
}

/** What the room is shown of one holder: each has its own confirmations and its own limits. */
function statesOf(holder: InUseHolder) {
  const params = { holder } as const;
  const isHeld = {
    type: 'isOf',
    params: ({ event }: { event: Of<'in-use.hold' | 'in-use.release'> }) => ({ event, holder }),
  } as const;
  const when = <T extends string>(type: T) => ({ type, params }) as const;
  const hold = { guard: isHeld, actions: [withEvent('take'), 'arrange'] } as const;
  return {
    initial: 'unused',
    states: {
      unused: {
        entry: [when('leave'), 'arrange'],
        on: { 'in-use.hold': { ...hold, target: 'held' } },
      },
      held: {
        initial: 'confirming',
        on: {
          'in-use.hold': { ...hold, target: '.confirming' },
          'in-use.release': { guard: isHeld, target: 'unused', actions: when('answer') },
        },
        states: {
          /** It is not known to be shown; what was shown before still is. */
          confirming: {
            entry: when('beOpen'),
            always: [
              { guard: when('isOverlay'), target: 'overlay' },
              { guard: when('isLed'), target: 'led' },
              { guard: when('isRefusedNow'), target: 'lost' },
            ],
            after: { unconfirmed: 'lost' },
          },
          overlay: {
            entry: [when('beOverlay'), when('answer'), 'arrange'],
            always: [
              { guard: when('isLed'), target: 'led' },
              { guard: when('isRefused'), target: 'lost' },
              { guard: when('isOpen'), target: 'confirming' },
            ],
            on: {
              // A new picture while the mark is confirmed.
              'mark.confirmed': {
                guard: {
                  type: 'isIn',
                  params: ({ event: { of } }: { event: Of<'mark.confirmed'> }) => ({ of, holder }),
                },
                target: 'overlay',
                reenter: true,
                actions: [withEvent('takePicture'), 'arrange'],
              },
            },
            after: { silence: { guard: 'isPictured', target: 'lost' } },
          },
          led: {
            entry: [when('beLed'), when('answer'), 'arrange'],
            always: [
              { guard: when('isOverlay'), target: 'overlay' },
              { guard: when('isRefused'), target: 'lost' },
              { guard: when('isOpen'), target: 'confirming' },
            ],
          },
          /** What is in use has to end; the mark and the LED stay until it is released. */
          lost: { entry: [when('beLost'), when('answer')] },
        },
      },
    },
  } as const;
}

type Assign = ReturnType<typeof assign<InUseFacts, InUseEvent, undefined, InUseEvent, never>>;

// Made once: the supervisor's own action may be what sends an event, and XState warns of an `assign` made meanwhile.
const takeWanted: Assign = assign(({ context }) => {
  const wanted = wantedNow(context);
  // A mark that was just asked for is in no picture yet.
  return { wanted, marked: stillMarked(context, wanted) };
});
const answered = (holder: InUseHolder): Assign =>
  assign(({ context }) => ({ waiting: context.waiting.filter((one) => one.holder !== holder) }));
const answerHolder: Readonly<Record<InUseHolder, Assign>> = {
  camera: answered('camera'),
  microphone: answered('microphone'),
};

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
    isOf: (_, { event, holder }: About & { readonly event: Of<'in-use.hold' | 'in-use.release'> }) =>
      event.holder === holder,
    isIn: (_, { of, holder }: About & { readonly of: readonly InUseHolder[] }) => of.includes(holder),
    isOverlay: ({ context }, { holder }: About) => isShownBy(context, holder, 'overlay'),
    isLed: ({ context }, { holder }: About) => isShownBy(context, holder, 'led'),
    isRefused: ({ context }, { holder }: About) => verdictOf(context, holder).is === 'refused',
    isRefusedNow: ({ context }, { holder }: About) => {
      const verdict = verdictOf(context, holder);
      return verdict.is === 'refused' && !mayPass(holder, verdict);
    },
    isOpen: ({ context }, { holder }: About) => verdictOf(context, holder).is === 'open',
    isOver: ({ context }) => context.ending && context.holders.length === 0,
    // A mark that the page of a simulated panel draws is confirmed by no picture.
    isPictured: ({ context }) => context.wanted.mark.length > 0,
  },
  actions: {
    take: assign(({ context }, event: Of<'in-use.hold'>) => taken(context, event)),
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
      enqueue(takeWanted);
    }),
    leave: assign(({ context }, { holder }: About) => ({
      ...left(context, holder),
      ...withShown(context, holder, 'none'),
    })),
    beOpen: assign(({ context }, { holder }: About) => withShown(context, holder, 'none')),
    beOverlay: assign(({ context }, { holder }: About) => withShown(context, holder, 'overlay')),
    beLed: assign(({ context }, { holder }: About) => withShown(context, holder, 'led')),
    beLost: assign(({ context }, { holder }: About) => withShown(context, holder, 'none', refusalOf(context, holder))),
    answer: enqueueActions(({ context, enqueue }, { holder }: About) => {
      for (const reply of answers(context, holder)) enqueue.emit(reply);
      enqueue(answerHolder[holder]);
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
  initial: 'shown',
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
    shown: {
      type: 'parallel',
      always: { guard: 'isOver', target: 'stopped' },
      states: { camera: statesOf('camera'), microphone: statesOf('microphone') },
    },
    stopped: { type: 'final', output: stopped },
    failed: {
      type: 'final',
      output: crashed({ mark: 'mark-driver', surroundings: 'surroundings-follower' }),
    },
  },
  output: outcomeOf,
});
