import type { AnyActorLogic, EventObject } from 'xstate';

import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';
import { WAVE_ORIGIN, type WaveCommand } from '#machines/proximity/events.ts';
import { proximityMachine } from '#machines/proximity/machine.ts';
import type { ScreenContext, ScreenEvent } from '#machines/screen/events.ts';

import type { Registry } from './kit/registry.ts';
import type { ChildSpec } from './kit/spec.ts';
import { proximityMemory } from './proximity-memory.ts';
import { settingFollower } from './setting-follower.ts';

/** What the proximity actor is wired to. */
export interface ProximityDeps {
  readonly registry: Registry;
  /** The profile's proximity driver. */
  readonly driver: AnyActorLogic;
  /** Registry ids of the screens that a wave lights. */
  readonly displays: readonly string[];
}

const lightDark = (registry: Registry, displays: readonly string[]): DriverLogic<WaveCommand, undefined> => {
  const light: ScreenEvent = { type: 'screen.set', on: true, origin: WAVE_ORIGIN };
  return fromDriver<WaveCommand, undefined, EventObject>(({ onEvent }) =>
    onEvent(() => {
      for (const id of displays) if (registry.read<ScreenContext>(id)?.context.lit === false) registry.tell(id, light);
    }),
  );
};

/** The proximity sensor: permanent; asked to stop, it ends at once. */
export const proximitySpec = ({ registry, driver, displays }: ProximityDeps): ChildSpec => ({
  id: 'proximity',
  logic: proximityMachine.provide({
    actors: {
      sensor: driver,
      memory: proximityMemory(registry),
      choice: settingFollower(registry, 'wake_on_wave', (value) =>
        typeof value === 'boolean' ? { type: 'wake.chosen', on: value } : null,
      ),
      wake: lightDark(registry, displays),
    },
  }),
  restart: 'permanent',
  stop: { event: { type: 'proximity.stop' }, withinMs: 5 },
});
