import type { Milliseconds } from '#machines/kit/units.ts';
import { trialTimes, type ProfilesBoot, type TrialTimes } from '#machines/profiles/asks.ts';
import { profilesMachine } from '#machines/profiles/machine.ts';
import { profiles } from '#machines/profiles/index.ts';

import { part, type Part } from './kit/part.ts';
import { type KeeperDeps, profilesKeeper } from './profiles/keeper.ts';
import { type PulseDeps, startPulse } from './profiles/pulse.ts';

/** What the catalogue's actor is wired to. */
export interface ProfilesDeps extends KeeperDeps, Omit<PulseDeps, 'everyMs'> {
  readonly boot: ProfilesBoot;
  readonly times?: TrialTimes;
}

/** Pause between two looks at a start on its way to the health point. */
const PULSE_MS: Milliseconds = 1000;

/** The profile catalogue: asked to stop, it finishes the write that is under way. */
export const profilesSpec = (deps: ProfilesDeps): Part => {
  const times = deps.times ?? trialTimes;
  return part(
    profiles,
    profilesMachine.provide({
      actors: {
        keeper: profilesKeeper(deps),
        pulse: startPulse({ ...deps, everyMs: Math.min(PULSE_MS, times.holdMs / 4) }),
      },
    }),
    { input: () => ({ boot: deps.boot, times }), stop: { event: { type: 'profiles.stop' }, withinMs: 10 } },
  );
};
