import type { AnyActorLogic } from 'xstate';

import { volumeMachine } from '#machines/volume/machine.ts';

import type { Registry } from './kit/registry.ts';
import type { ChildSpec } from './kit/spec.ts';
import { settingFollower } from './setting-follower.ts';

/** What the volume's actor is wired to. */
export interface VolumeDeps {
  readonly registry: Registry;
  /** The profile's volume driver. */
  readonly driver: AnyActorLogic;
}

/** The music stream's volume: permanent; asked to stop, it ends at once. */
export const volumeSpec = ({ registry, driver }: VolumeDeps): ChildSpec => ({
  id: 'volume',
  logic: volumeMachine.provide({
    actors: {
      mixer: driver,
      limits: settingFollower(registry, 'volume_limit_percent', (value) =>
        typeof value === 'number' ? { type: 'volume.limits', limitPercent: value } : null,
      ),
    },
  }),
  restart: 'permanent',
  stop: { event: { type: 'volume.stop' }, withinMs: 50 },
});
