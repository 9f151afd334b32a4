import type { Milliseconds } from '#machines/kit/units.ts';
import type { ProfilesBoot } from '#machines/profiles/boot.ts';
import { trialTimes, type TrialTimes } from '#machines/profiles/health.ts';
import { profilesMachine } from '#machines/profiles/machine.ts';
import { profiles } from '#machines/profiles/index.ts';

import { part, type Part } from './kit/part.ts';
import { healthProbe, type HealthProbeDeps } from './profiles/health-probe.ts';
import { profileStore, type ProfileStoreDeps } from './profiles/store.ts';

/** What the catalogue's actor is wired to. */
export interface ProfilesDeps extends ProfileStoreDeps, Omit<HealthProbeDeps, 'everyMs'> {
  readonly boot: ProfilesBoot;
  readonly times?: TrialTimes;
}

/** Pause between two probes of a start on its way to the health point. */
const PROBE_MS: Milliseconds = 1000;

/** The profile catalogue: told to stop, it finishes the write that is under way. */
export const profilesSpec = (deps: ProfilesDeps): Part => {
  const times = deps.times ?? trialTimes;
  return part(
    profiles,
    profilesMachine.provide({
      actors: {
        store: profileStore(deps),
        healthProbe: healthProbe({ ...deps, everyMs: Math.min(PROBE_MS, times.holdMs / 4) }),
      },
    }),
    { input: () => ({ boot: deps.boot, times }), stop: { event: { type: 'profiles.stop' }, withinMs: 300 } },
  );
};
