import type { DriverLogic } from '#drivers/kit/from-driver.ts';
import type { PlayerCommand, PlayerFact } from '#machines/announcer/events.ts';
import { announcer } from '#machines/announcer/index.ts';
import { announcerMachine } from '#machines/announcer/machine.ts';

import type { Registry } from './kit/registry.ts';
import { part, type Part } from './kit/part.ts';
import { settingFollower } from './setting-follower.ts';

export interface AnnouncerDeps {
  readonly registry: Registry;
  readonly player: DriverLogic<PlayerCommand, undefined, PlayerFact>;
}

/** The announcement player. When it stops, its driver ends the sound. */
export const announcerSpec = ({ registry, player }: AnnouncerDeps): Part =>
  part(
    announcer,
    announcerMachine.provide({
      actors: {
        player,
        duck: settingFollower(registry, 'announcement_duck_percent', (value) =>
          typeof value === 'number' ? { type: 'announcer.duck', percent: value } : null,
        ),
      },
    }),
  );
