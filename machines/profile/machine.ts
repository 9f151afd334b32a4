import { setup } from 'xstate';
import { outcomeOf, stopped, type WorkerOutcome } from '../kit/outcome.ts';
import type { ProfileContext, ProfileEvent } from './events.ts';

/** Holds the active profile's facts for everybody who reads them. */
export const profileMachine = setup({
  types: {
    context: {} as ProfileContext,
    events: {} as ProfileEvent,
    input: {} as ProfileContext,
    output: {} as WorkerOutcome,
  },
}).createMachine({
  id: 'profile',
  context: ({ input }) => input,
  initial: 'active',
  output: outcomeOf,
  states: {
    active: { on: { 'profile.stop': { target: 'stopped' } } },
    stopped: { type: 'final', output: stopped },
  },
});
