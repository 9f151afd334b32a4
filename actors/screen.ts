import type { AnyActorLogic } from 'xstate';

import { screenMachine } from '#machines/screen/machine.ts';

import type { Registry } from './kit/registry.ts';
import type { ChildSpec } from './kit/spec.ts';
import { screenMemory } from './screen-memory.ts';
import { settingFollower } from './setting-follower.ts';

/** What the screen's actor is wired to. */
export interface ScreenDeps {
  readonly registry: Registry;
  /** The profile's screen driver. */
  readonly driver: AnyActorLogic;
}

/** The screen: permanent; asked to stop, it ends at once. */
export const screenSpec = ({ registry, driver }: ScreenDeps): ChildSpec => ({
  id: 'screen',
  logic: screenMachine.provide({
    actors: {
      display: driver,
      limits: settingFollower(registry, 'screen_minimum_percent', (value) =>
        typeof value === 'number' ? { type: 'screen.limits', minimumPercent: value } : null,
      ),
      memory: screenMemory(registry),
    },
  }),
  restart: 'permanent',
  stop: { event: { type: 'screen.stop' }, withinMs: 50 },
});
