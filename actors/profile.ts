import type { ProfileContext } from '#machines/profile/events.ts';
import { profileMachine } from '#machines/profile/machine.ts';
import type { ChildSpec } from '#actors/kit/spec.ts';

/** Holds the facts of the profile that was resolved before the tree started. */
export const profileSpec = (profile: ProfileContext): ChildSpec => ({
  id: 'profile',
  logic: profileMachine,
  input: () => profile,
  restart: 'permanent',
  stop: { event: { type: 'profile.stop' }, withinMs: 50 },
});
