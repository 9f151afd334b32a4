import { announcerSpec } from '#actors/announcer.ts';
import type { Part } from '#actors/kit/part.ts';
import { announcementPlayer } from '#drivers/announcer/announcement-player.ts';
import { duckedVolumes, givenBack, isDucked, MOST_DUCKED } from '#machines/announcer/duck.ts';
import { soundKind } from '#machines/announcer/sound-kind.ts';
import { firstHop, isOnPanel, isPanelItself, nextHop, toldOf } from '#machines/announcer/source.ts';
import type { ResolvedSlots } from '#profiles/resolved.ts';
import type { PartDeps } from './deps.ts';

type Loudspeaker = NonNullable<ResolvedSlots['loudspeaker']>['driver'];

/** Announcements on the panel's loudspeaker. */
export function announcerPart({ registry, folder, port }: PartDeps, loudspeaker: Loudspeaker): Part {
  return announcerSpec({
    registry,
    player: announcementPlayer({
      rules: {
        source: { firstHop, nextHop, isPanelItself, isOnPanel, toldOf },
        soundKind,
        duck: { duckedVolumes, givenBack, isDucked, most: MOST_DUCKED },
      },
      loudspeaker,
      dataFolder: folder,
      ownPort: port,
      homeAssistant: () => {
        const address = registry.read('settings')?.context.values['ha_url'];
        return typeof address === 'string' ? address : '';
      },
    }),
  });
}
