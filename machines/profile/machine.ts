import { setup } from 'xstate';
import type { WorkerOutcome } from '#machines/kit/outcome.ts';

/** Which profile is active; profiles are resolved once, before the tree starts. */
export interface ProfileContext {
  readonly id: string;
  readonly title: string;
  readonly simulated: boolean;
  /** Capabilities that the profile declares absent. */
  readonly absent: readonly string[];
}

export type ProfileEvent = { readonly type: 'profile.stop' };

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
  output: { ended: 'stopped' },
  states: {
    active: { on: { 'profile.stop': { target: 'stopped' } } },
    stopped: { type: 'final' },
  },
});
