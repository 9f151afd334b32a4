import type { VolumeDriver } from '#machines/volume/events.ts';
import { volume } from '#machines/volume/index.ts';
import { volumeMachine } from '#machines/volume/machine.ts';

import type { Registry } from './kit/registry.ts';
import { part, type Part } from './kit/part.ts';
import { settingFollower } from './setting-follower.ts';

/** What the volume's actor is wired to. */
export interface VolumeDeps {
  readonly registry: Registry;
  /** The profile's volume driver. */
  readonly driver: VolumeDriver;
}

/** The music stream's volume. */
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
