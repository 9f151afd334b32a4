import { setup } from 'xstate';
import type { ProfileContext } from './events.ts';

/** Holds the active profile's facts for everybody who reads them: they change only with a new start of the agent. */
export const profileMachine = setup({
  types: { context: {} as ProfileContext, input: {} as ProfileContext },
}).createMachine({ id: 'profile', context: ({ input }) => input });
