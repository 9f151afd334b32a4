import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';
import type { FinderEvent, FinderFact, WantedFact } from '#machines/finder/events.ts';
import { finder } from '#machines/finder/index.ts';
import { finderMachine } from '#machines/finder/machine.ts';

import type { Registry } from './kit/registry.ts';
import { part, type Part } from './kit/part.ts';

/** What the finder is wired to. */
export interface FinderDeps {
  readonly registry: Registry;
  /**
   * Browses the network for the platform (`platformBrowser()` of the finder's drivers); null where the network is left
   * alone.
   */
  readonly browse: DriverLogic<FinderEvent, undefined, FinderFact> | null;
}

/**
 * Tells whether browsing is wanted: the settings name no broker. While they are not known, what was told last stands.
 */
const brokerFollower = (registry: Registry) =>
  fromDriver<FinderEvent, undefined, WantedFact>(({ send }) =>
    registry.follow(
      'settings',
      (snapshot): boolean | null => {
        const settings = snapshot?.context;
        return settings === undefined || settings.revision === 0 ? null : settings.values['mqtt_broker'] === '';
      },
      (wanted) => {
        if (wanted !== null) send({ type: 'finder.wanted', wanted });
      },
    ),
  );

/** Asks for nothing. */
const silent = fromDriver<FinderEvent, undefined, never>(() => {});

/** The finder. */
export const finderSpec = ({ registry, browse }: FinderDeps): Part =>
  part(
    finder,
    finderMachine.provide({
      actors: browse === null ? { wishes: silent, browse: silent } : { wishes: brokerFollower(registry), browse },
    }),
    { stop: { event: { type: 'finder.stop' }, withinMs: 50 } },
  );
