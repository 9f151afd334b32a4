import { assign, emit, sendTo, setup } from 'xstate';

type Rung = { readonly type: 'bell.rung'; readonly by: string } | { readonly type: 'bell.stop' };

const isRung = (event: Rung): boolean => event.type === 'bell.rung'; // refused: the event is compared
function whoRang(scope: { readonly event: Rung }): string {
  return 'by' in scope.event ? scope.event.by : ''; // refused: a field of the event is looked for
}

/** Each way in which an action or guard may ask which event it stands at. */
export const askingMachine = setup({
  types: { context: {} as { by: string }, events: {} as Rung },
  guards: {
    isRing: ({ event }) => event.type === 'bell.rung', // refused: the event is compared
    isStop: ({ event }) => 'bell.rung' !== event.type, // refused: the event is compared
    hasRinger: ({ event }) => 'by' in event, // refused: a field of the event is looked for
    byName: ({ event }) => isRung(event),
    inTwo: ({ event: { type } }) => type === 'bell.rung', // refused: the type is taken out
    ofUnion: (_, event: Rung) => event.type === 'bell.stop', // refused: the event is compared
  },
  actions: {
    take: assign(({ event }) => (event.type === 'bell.rung' ? { by: event.by } : {})), // refused: the event is compared
    tell: emit((scope) => ({ type: 'told', by: 'by' in scope.event ? scope.event.by : '' })), // refused: a field of the event is looked for
    name: assign((scope) => ({ by: whoRang(scope) })),
    hand: sendTo('hammer', ({ event }) => {
      // refused in the line below, where the comparison begins
      switch (event.type) { // refused: the event is compared
        case 'bell.rung':
          return { type: 'strike' };
        default:
          return { type: 'rest' };
      }
    }),
  },
});
