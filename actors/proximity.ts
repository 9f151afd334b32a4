import { fromDriver } from '#drivers/kit/from-driver.ts';
import { type ProximityDriver, WAVE_ORIGIN, type WaveCommand } from '#machines/proximity/events.ts';
import { proximity } from '#machines/proximity/index.ts';
import { proximityMachine } from '#machines/proximity/machine.ts';
import type { ScreenActor, ScreenId } from '#machines/screen/events.ts';

import type { Registry } from './kit/registry.ts';
import { part, type Part } from './kit/part.ts';
import { proximityStore } from './proximity-store.ts';
import { settingFollower } from './setting-follower.ts';

export interface ProximityDeps {
  readonly registry: Registry;
  readonly driver: ProximityDriver;
  /** Registry ids of the screens that a wave lights. */
  readonly displays: readonly ScreenId[];
}

function lightDark(registry: Registry, displays: readonly ScreenId[]) {
  const light: ScreenActor['event'] = { type: 'screen.set', on: true, origin: WAVE_ORIGIN };
  return fromDriver<WaveCommand, undefined, never>(({ onEvent }) =>
    onEvent(() => {
      for (const id of displays) if (registry.read(id)?.context.lit === false) registry.tell(id, light);
    }),
  );
}

export const proximitySpec = ({ registry, driver, displays }: ProximityDeps): Part =>
  part(
    proximity,
    proximityMachine.provide({
      actors: {
        sensor: driver,
        store: proximityStore(registry),
        choice: settingFollower(registry, 'wake_on_wave', (value) =>
          typeof value === 'boolean' ? { type: 'wake.chosen', on: value } : null,
        ),
        wake: lightDark(registry, displays),
      },
    }),
  );
