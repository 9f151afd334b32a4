import { announcerSpec } from '#actors/announcer.ts';
import { cameraSpec } from '#actors/camera.ts';
import { volumeSpec } from '#actors/volume.ts';
import { announcementPlayer } from '#drivers/announcer/announcement-player.ts';
import { linuxCamera } from '#drivers/camera/linux.ts';
import { duckedVolumes, givenBack, MOST_DUCKED } from '#machines/announcer/duck.ts';
import { soundKind } from '#machines/announcer/sound-kind.ts';
import { firstHop, isOnPanel, isPanelItself, nextHop, toldOf } from '#machines/announcer/source.ts';
import { type Wiring, present } from './deps.ts';

/** Sound and pictures. */
export const mediaParts: Wiring = ({ registry, profile, folder, port }) => [
  ...present(profile.slots.volume, (volume) => volumeSpec({ registry, ...volume })),
  ...present(profile.slots.loudspeaker, ({ driver }) =>
    announcerSpec({
      registry,
      player: announcementPlayer({
        rules: {
          source: { firstHop, nextHop, isPanelItself, isOnPanel, toldOf },
          soundKind,
          duck: { duckedVolumes, givenBack, most: MOST_DUCKED },
        },
        loudspeaker: driver,
        dataFolder: folder,
        ownPort: port,
        homeAssistant: () => {
          const address = registry.read('settings')?.context.values['ha_url'];
          return typeof address === 'string' ? address : '';
        },
      }),
    }),
  ),
  cameraSpec({ driver: linuxCamera(), suppressed: profile.cameraSuppressed }),
];
