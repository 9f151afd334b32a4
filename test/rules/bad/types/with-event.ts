import { assign, emit, sendTo, setup } from 'xstate';

import { placeholder } from '#machines/kit/placeholder.ts';
import { withEvent } from '#machines/kit/with-event.ts';

type Rung = { readonly type: 'bell.rung'; readonly by: string };
type Counted = { readonly type: 'bell.counted'; readonly requestId: string; readonly rings: number };
type Stopped = { readonly type: 'bell.stopped' };
type Strike = { readonly type: 'hammer.strike'; readonly by: string };

/** A bell whose actions and guards each take the event at which they stand. */
const bell = setup({
  types: { context: {} as { by: string; rings: number }, events: {} as Rung | Counted | Stopped },
  actors: { hammer: placeholder<Strike, undefined, never>() },
  guards: { isNamed: (_, event: Rung) => event.by !== '' },
  actions: {
    take: assign((_, event: Rung) => ({ by: event.by })),
    strike: sendTo('hammer', (_, event: Rung): Strike => ({ type: 'hammer.strike', by: event.by })),
    answer: emit((_, event: { readonly requestId: string }) => ({ type: 'reply', requestId: event.requestId })),
    count: assign(({ context }, _event: Rung | Counted) => ({ rings: context.rings + 1 })),
    rest: assign({ rings: 0 }),
  },
});
const start = { invoke: { id: 'hammer', src: 'hammer', onError: {} }, context: { by: '', rings: 0 } } as const;

export const fits = bell.createMachine({
  ...start,
  on: {
    'bell.rung': { guard: withEvent('isNamed'), actions: [withEvent('take'), withEvent('strike'), withEvent('count')] },
    'bell.counted': { actions: [withEvent('answer'), withEvent('count')] },
    'bell.stopped': { actions: 'rest' },
  },
});
export const otherEvent = bell.createMachine({
  ...start,
  on: { 'bell.counted': { actions: withEvent('take') } }, // refused: takes another event
});
export const sentAtOther = bell.createMachine({
  ...start,
  on: { 'bell.stopped': { actions: withEvent('strike') } }, // refused: takes another event
});
export const emittedAtOther = bell.createMachine({
  ...start,
  on: { 'bell.rung': { actions: withEvent('answer') } }, // refused: has no request
});
export const guardAtOther = bell.createMachine({
  ...start,
  on: { 'bell.stopped': { guard: withEvent('isNamed'), actions: 'rest' } }, // refused: takes another event
});
export const unionAtOther = bell.createMachine({
  ...start,
  on: { 'bell.stopped': { actions: withEvent('count') } }, // refused: takes two others
});
export const unknownName = bell.createMachine({
  ...start,
  on: { 'bell.rung': { actions: withEvent('shout') } }, // refused: no such action
});
export const withoutEvent = bell.createMachine({
  ...start,
  on: { 'bell.rung': { actions: 'take' } }, // refused: is given nothing
});
export const onEntry = bell.createMachine({
  ...start,
  entry: withEvent('take'), // refused: whatever leads here
});
