import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';
import type { FinderEvent } from '#machines/finder/events.ts';
import { finderMachine } from '#machines/finder/machine.ts';
import type { SettingsContext } from '#machines/settings/events.ts';

import type { Registry } from './kit/registry.ts';
import type { ChildSpec } from './kit/spec.ts';

/** What the finder is wired to. */
export interface FinderDeps {
  readonly registry: Registry;
  /**
   * Browses the network for the platform (`platformBrowser()` of the finder's drivers); null where the network is left
   * alone.
   */
  readonly browse: DriverLogic<FinderEvent, undefined> | null;
}

/**
 * Tells whether browsing is wanted: the settings name no broker. While they are not known, what was told last stands.
 */
const brokerFollower = (registry: Registry): DriverLogic<FinderEvent, undefined> =>
  fromDriver<FinderEvent, undefined, FinderEvent>(({ send }) =>
    registry.follow<boolean | null>(
      'settings',
      (snapshot) => {
        // The settings actor's public facts, by its contract in machines/settings/events.ts.
        const settings = snapshot?.context as SettingsContext | undefined;
        return settings === undefined || settings.revision === 0 ? null : settings.values['mqtt_broker'] === '';
      },
      (wanted) => {
        if (wanted !== null) send({ type: 'finder.wanted', wanted });
      },
    ),
  );

/** Asks for nothing. */
const silent = fromDriver<FinderEvent, undefined, FinderEvent>(() => {});

/** The finder: permanent; asked to stop, it ends at once. */
export const finderSpec = ({ registry, browse }: FinderDeps): ChildSpec => ({
  id: 'finder',
  logic: finderMachine.provide({
    actors: browse === null ? { wishes: silent, browse: silent } : { wishes: brokerFollower(registry), browse },
  }),
  restart: 'permanent',
  stop: { event: { type: 'finder.stop' }, withinMs: 50 },
});
