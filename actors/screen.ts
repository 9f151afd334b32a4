import type { AnyActorLogic } from 'xstate';

import type { Milliseconds } from '#machines/kit/units.ts';
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
  /** Whether the agent only looks: it must leave a screen as dark as it found it. */
  readonly looking?: boolean;
}

/** Time for lighting a dark screen on the way out. It was told to at the beginning of the stop; one that needs longer is lit by `relight`. */
const STOP_MS: Milliseconds = 120;

/** The screen: permanent; asked to stop, it lights what is dark and ends, since nobody else could light it then. */
export const screenSpec = ({ registry, driver, looking = false }: ScreenDeps): ChildSpec => ({
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
  stop: { event: { type: looking ? 'screen.leave' : 'screen.stop' }, withinMs: STOP_MS },
});
