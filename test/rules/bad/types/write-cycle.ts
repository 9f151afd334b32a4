import { assign, setup } from 'xstate';

import { cycleGuards, firstCycle, writeCycle, type WriteCycle } from '#machines/kit/write-cycle.ts';

type Written = { readonly type: 'bell.written'; readonly generation: number; readonly level: number };
type Refused = { readonly type: 'bell.refused'; readonly generation: number };
type Stopped = { readonly type: 'bell.stopped' };
type BellEvent = Written | Refused | Stopped;

/** A bell with all that a write cycle needs. */
const bell = setup({
  types: { context: {} as WriteCycle<number>, events: {} as BellEvent },
  delays: { answerBound: 1 },
  guards: cycleGuards,
  actions: {
    begin: assign({ writing: 1 }),
    write: assign({ writing: 1 }),
    settle: assign((_, { level }: Written) => ({ writing: level })),
    refuse: assign({ writing: null }),
    noteSilence: assign({ writing: null }),
  },
});
/** One that cannot say that a write was refused. */
const mute = setup({
  types: { context: {} as WriteCycle<number>, events: {} as BellEvent },
  delays: { answerBound: 1 },
  guards: cycleGuards,
  actions: {
    begin: assign({ writing: 1 }),
    write: assign({ writing: 1 }),
    settle: assign((_, { level }: Written) => ({ writing: level })),
    noteSilence: assign({ writing: null }),
  },
});
const context = firstCycle;
const cycle = writeCycle<BellEvent>();

export const fits = bell.createMachine({ context, ...cycle('bell.written', 'bell.refused') });
export const misnamed = cycle('bell.writen', 'bell.refused'); // refused: no such event
export const other = bell.createMachine({ context, ...cycle('bell.refused', 'bell.written') }); // refused: wrong event
export const bare = bell.createMachine({ context, ...cycle('bell.written', 'bell.stopped') }); // refused: no generation
export const lacking = mute.createMachine({ context, ...cycle('bell.written', 'bell.refused') }); // refused: no action
