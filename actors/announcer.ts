import type { DriverLogic } from '#drivers/kit/from-driver.ts';
import type { LaneCommand, LaneFact } from '#machines/announcer/events.ts';
import { announcer } from '#machines/announcer/index.ts';
import { announcerMachine } from '#machines/announcer/machine.ts';

import type { Registry } from './kit/registry.ts';
import { part, type Part } from './kit/part.ts';
import { settingFollower } from './setting-follower.ts';

/** What the announcement player's actor is wired to. */
export interface AnnouncerDeps {
  readonly registry: Registry;
  readonly lane: DriverLogic<LaneCommand, undefined, LaneFact>;
}

/** The announcement player: asked to stop, it ends at once, and its driver ends the sound. */
export const announcerSpec = ({ registry, lane }: AnnouncerDeps): Part =>
  part(
    announcer,
    announcerMachine.provide({
      actors: {
        lane,
        duck: settingFollower(registry, 'announcement_duck_percent', (value) =>
          typeof value === 'number' ? { type: 'announcer.duck', percent: value } : null,
        ),
      },
    }),
    { stop: { event: { type: 'announcer.stop' }, withinMs: 50 } },
  );
