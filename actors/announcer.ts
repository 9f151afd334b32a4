import type { DriverLogic } from '#drivers/kit/from-driver.ts';
import type { AnnouncerEvent, LaneCommand } from '#machines/announcer/events.ts';
import { announcerMachine } from '#machines/announcer/machine.ts';

import type { Registry } from './kit/registry.ts';
import type { ChildSpec } from './kit/spec.ts';
import { settingFollower } from './setting-follower.ts';

/** What the announcement player's actor is wired to. */
export interface AnnouncerDeps {
  readonly registry: Registry;
  readonly lane: DriverLogic<LaneCommand, undefined>;
}

/** The announcement player: permanent; asked to stop, it ends at once, and its driver ends the sound. */
export const announcerSpec = ({ registry, lane }: AnnouncerDeps): ChildSpec => ({
  id: 'announcer',
  logic: announcerMachine.provide({
    actors: {
      lane,
      duck: settingFollower<AnnouncerEvent>(registry, 'announcement_duck_percent', (value) =>
        typeof value === 'number' ? { type: 'announcer.duck', percent: value } : null,
      ),
    },
  }),
  restart: 'permanent',
  stop: { event: { type: 'announcer.stop' }, withinMs: 50 },
});
