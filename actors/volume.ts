import type { VolumeDriver } from '#machines/volume/events.ts';
import { volume } from '#machines/volume/index.ts';
import { volumeMachine } from '#machines/volume/machine.ts';

import type { Registry } from './kit/registry.ts';
import { part, type Part } from './kit/part.ts';
import { settingFollower } from './setting-follower.ts';

export interface VolumeDeps {
  readonly registry: Registry;
  readonly driver: VolumeDriver;
}

export const volumeSpec = ({ registry, driver }: VolumeDeps): Part =>
  part(
    volume,
    volumeMachine.provide({
      actors: {
        mixer: driver,
        limits: settingFollower(registry, 'volume_limit_percent', (value) =>
          typeof value === 'number' ? { type: 'volume.limits', limitPercent: value } : null,
        ),
      },
    }),
  );
