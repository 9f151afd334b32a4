import { assign, setup } from 'xstate';

type Ring = { readonly type: 'bell.rung'; readonly by: string };
type Bell = Ring | { readonly type: 'bell.stopped' };

/** A decision: no machine is in it, and which event happened is what it decides by. */
export const decideBell = (rings: number, event: Bell): number => (event.type === 'bell.rung' ? rings + 1 : 0);

/** Actions that take the event at which they stand. */
export const bellMachine = setup({
  types: { context: {} as { by: string; kind: string }, events: {} as Bell },
  guards: { isNamed: (_, event: Ring) => event.by !== '' },
  actions: {
    take: assign((_, event: Ring) => ({ by: event.by })),
    note: assign((_, { kind }: { readonly kind: string }) => ({ kind })),
    judge: assign(({ context }, verdict: { readonly type: string }) => ({
      kind: verdict.type === 'loud' && 'by' in context ? 'loud' : 'soft',
    })),
  },
});
