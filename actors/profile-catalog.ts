import type { Milliseconds } from '#machines/kit/units.ts';
import type { ProfilesBoot } from '#machines/profile-catalog/boot.ts';
import { trialTimes, type TrialTimes } from '#machines/profile-catalog/health.ts';
import { profileCatalogMachine } from '#machines/profile-catalog/machine.ts';
import { profileCatalog } from '#machines/profile-catalog/index.ts';

import { part, type Part } from './kit/part.ts';
import { healthProbe, type HealthProbeDeps } from './profile-catalog/health-probe.ts';
import { profileStore, type ProfileStoreDeps } from './profile-catalog/store.ts';

export interface ProfileCatalogDeps
  extends Omit<ProfileStoreDeps, 'registry'>, Omit<HealthProbeDeps, 'everyMs' | 'registry'> {
  readonly registry: ProfileStoreDeps['registry'] & HealthProbeDeps['registry'];
  readonly boot: ProfilesBoot;
  readonly times?: TrialTimes;
}

/** Pause between two probes while a start is watched. */
const PROBE_MS: Milliseconds = 1000;

/** The profile catalogue. When told to stop, it finishes the write that is under way. */
export function profileCatalogSpec(deps: ProfileCatalogDeps): Part {
  const times = deps.times ?? trialTimes;
  return part(
    profileCatalog,
    profileCatalogMachine.provide({
      actors: {
        store: profileStore(deps),
        healthProbe: healthProbe({ ...deps, everyMs: Math.min(PROBE_MS, times.holdMs / 4) }),
      },
    }),
    { input: () => ({ boot: deps.boot, times }), stop: { event: { type: 'profiles.stop' }, withinMs: 300 } },
  );
}
