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

export interface AdvertiserDeps {
  readonly registry: Registry;
  /** Runs the responder (`mdnsResponder()` in `drivers/advertiser`). */
  readonly responder: DriverLogic<AdvertiserCommand, undefined, AdvertiserFact>;
  /** Reports the interface and address on the LAN (`lanWatch()` in `drivers/advertiser`). */
  readonly lan: DriverLogic<AdvertiserCommand, undefined, LanFact>;
}

/** Reports what to announce: the panel's identity and the port that the listener really has. */
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
 * The advertisement of this panel on the network. It stops at once: the goodbye is its driver's cleanup, which goes on
 * while the other parts stop.
 */
export const advertiserSpec = ({ registry, responder, lan }: AdvertiserDeps): Part =>
  part(advertiser, advertiserMachine.provide({ actors: { responder, lan, desired: desiredFollower(registry) } }));
