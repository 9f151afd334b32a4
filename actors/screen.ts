import type { Milliseconds } from '#machines/kit/units.ts';
import type { ScreenDriver, ScreenId } from '#machines/screen/events.ts';
import { screen } from '#machines/screen/index.ts';
import { screenMachine } from '#machines/screen/machine.ts';
import type { StoredSection } from '#machines/stored-sections.ts';

import type { Registry } from './kit/registry.ts';
import { part, type Part } from './kit/part.ts';
import { screenStore } from './screen-store.ts';
import { settingFollower } from './setting-follower.ts';

export interface ScreenDeps {
  readonly registry: Registry;
  readonly driver: ScreenDriver;
  /** Which of the screens it is; the first if absent. */
  readonly id?: ScreenId;
  /** True if the agent only observes: it must leave a screen as dark as it found it. */
  readonly readOnly?: boolean;
}

/**
 * Time for lighting a dark screen while stopping. The order came at the beginning of the stop; a screen that needs
 * longer is lit by `relight`.
 */
const STOP_MS: Milliseconds = 100;
/** The same for each further screen: parts stop one after another, and all of them have five seconds. */
const FURTHER_STOP_MS: Milliseconds = 20;

const sections: Readonly<Record<ScreenId, StoredSection>> = {
  screen: 'panel',
  screen_2: 'panel_2',
  screen_3: 'panel_3',
  screen_4: 'panel_4',
};

/** A screen. It lights a dark screen before it stops, since afterwards only `relight` could. */
export const screenSpec = ({ registry, driver, readOnly = false, id = 'screen' }: ScreenDeps): Part =>
  part(
    screen,
    screenMachine.provide({
      actors: {
        display: driver,
        limits: settingFollower(registry, 'screen_minimum_percent', (value) =>
          typeof value === 'number' ? { type: 'screen.limits', minimumPercent: value } : null,
        ),
        store: screenStore(registry, sections[id]),
      },
    }),
    {
      id,
      stop: {
        event: { type: readOnly ? 'screen.leave' : 'screen.stop' },
        withinMs: id === 'screen' ? STOP_MS : FURTHER_STOP_MS,
      },
    },
  );
