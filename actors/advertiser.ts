import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';
import type {
  AdvertiserCommand,
  AdvertiserFact,
  DesiredAdvertisement,
  DesiredFact,
  LanFact,
} from '#machines/advertiser/events.ts';
import { advertiser } from '#machines/advertiser/index.ts';
import { advertiserMachine } from '#machines/advertiser/machine.ts';

import { followAll, lastKnown } from './kit/follow-all.ts';
import { sameValue } from './kit/follow.ts';
import type { Registry } from './kit/registry.ts';
import { part, type Part } from './kit/part.ts';

/** What the advertiser is wired to. */
export interface AdvertiserDeps {
  readonly registry: Registry;
  /** Runs the responder (`mdnsResponder()` of the advertiser's drivers). */
  readonly responder: DriverLogic<AdvertiserCommand, undefined, AdvertiserFact>;
  /** Reports the way to the network (`lanWatch()` of the same). */
  readonly lan: DriverLogic<AdvertiserCommand, undefined, LanFact>;
}

/** Reports what is to be announced: who the panel is and the port that is really listened on. */
const desiredFollower = (registry: Registry) =>
  fromDriver<AdvertiserCommand, undefined, DesiredFact>(({ send }) => {
    let reported: DesiredAdvertisement | null = null;
    return followAll(
      registry,
      {
        identity: lastKnown((snapshot) => {
          if (snapshot === undefined || snapshot.context.panelId === '') return null;
          const { panelId, friendlyName, version } = snapshot.context;
          return { panelId, friendlyName, version };
        }),
        http: lastKnown((snapshot) =>
          snapshot !== undefined && snapshot.context.port > 0 ? snapshot.context.port : null,
        ),
      },
      ({ identity, http: port }) => {
        if (identity === null || port === null) return;
        const desired = { ...identity, port };
        if (sameValue(desired, reported)) return;
        reported = desired;
        send({ type: 'advertisement.desired', desired });
      },
    );
  });

/**
 * The advertisement of this panel on the network: it stops immediately. The goodbye is its driver's cleanup, which goes
 * on while the other parts stop.
 */
export const advertiserSpec = ({ registry, responder, lan }: AdvertiserDeps): Part =>
  part(advertiser, advertiserMachine.provide({ actors: { responder, lan, desired: desiredFollower(registry) } }));
