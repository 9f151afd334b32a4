import { assign, setup } from 'xstate';

const take = assign(({ event }: { readonly event: { readonly type: string } }) =>
  event.type === 'bell.rung' ? { rung: true } : {}, // refused: the event is compared
);

/** An action by the name of a constant, and one that another file would bring. */
export const namedMachine = setup({ actions: { take } });
export const guards = {
  isRung: ({ event }: { readonly event: { readonly type: string } }): boolean => event.type === 'bell.rung', // refused: the event is compared
};
