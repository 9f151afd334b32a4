import type { ResolvedProfile, ResolvedSlots } from '#profiles/resolved.ts';

/** A profile with other drivers in some of its slots. */
export const withSlots = (profile: ResolvedProfile, slots: Partial<ResolvedSlots>): ResolvedProfile => ({
  ...profile,
  slots: { ...profile.slots, ...slots },
});
