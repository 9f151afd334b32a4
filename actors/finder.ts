import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';
import type { FinderEvent, FinderFact, SwitchedOffFact, WantedFact } from '#machines/finder/events.ts';
import { surfaceOf } from '#machines/companion/settings.ts';
import { surfaceInForce } from '#machines/kit/surface.ts';
import { finder } from '#machines/finder/index.ts';
import { finderMachine } from '#machines/finder/machine.ts';

import { followAll, lastKnown } from './kit/follow-all.ts';
import type { Registry } from './kit/registry.ts';
import { part, type Part } from './kit/part.ts';

export interface FinderDeps {
  readonly registry: Registry;
  /**
   * Browses the network for Home Assistant (`homeAssistantBrowser()` in `drivers/finder`); null if the network is left
   * alone.
   */
  readonly browse: DriverLogic<FinderEvent, undefined, FinderFact> | null;
}

/** Reports whether to browse: only while the settings name no broker, and the entities go through one. */
const wantedFollower = (registry: Registry) =>
  fromDriver<FinderEvent, undefined, WantedFact>(({ send }) =>
    followAll(
      registry,
      {
        settings: lastKnown((snapshot) => {
          const settings = snapshot?.context;
          return settings === undefined || settings.revision === 0
            ? null
            : { isOpen: settings.values['mqtt_broker'] === '', wanted: surfaceOf(settings.values['entity_surface']) };
        }),
        companion: lastKnown((snapshot) => snapshot?.context.surface ?? null),
      },
      ({ settings, companion: inForce }) => {
        if (settings === null) return;
        const surface = surfaceInForce(settings.wanted, inForce);
        send({ type: 'finder.wanted', wanted: settings.isOpen && surface === 'mqtt' });
      },
    ),
  );

/** Says that browsing is switched off for this agent. */
const switchedOff = fromDriver<FinderEvent, undefined, SwitchedOffFact>(({ send }) =>
  send({ type: 'finder.switched-off' }),
);

const silent = fromDriver<FinderEvent, undefined, never>(() => {});

export const finderSpec = ({ registry, browse }: FinderDeps): Part =>
  part(
    finder,
    finderMachine.provide({
      actors: browse === null ? { wanted: switchedOff, browse: silent } : { wanted: wantedFollower(registry), browse },
    }),
  );
