import { setup } from 'xstate';
import type { ProfileContext } from './events.ts';

/** Holds the active profile's facts for everybody who reads them: they change only with a new start of the agent. */
export const profileMachine = setup({
  // Type carriers of the library's own design; their values are never read.
  types: { context: {} as ProfileContext, input: {} as ProfileContext },
}).createMachine({ id: 'profile', context: ({ input }) => input });
