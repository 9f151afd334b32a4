import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';
import type {
  AdvertiserCommand,
  AdvertiserFact,
  AdvertiserWish,
  LanFact,
  WishFact,
} from '#machines/advertiser/events.ts';
import { advertiser } from '#machines/advertiser/index.ts';
import { advertiserMachine } from '#machines/advertiser/machine.ts';

import { sameValue } from './kit/follow.ts';
import type { Registry } from './kit/registry.ts';
import { part, type Part } from './kit/part.ts';

/** What the advertiser is wired to. */
export interface AdvertiserDeps {
  readonly registry: Registry;
  /** Runs the responder (`mdnsResponder()` of the advertiser's drivers). */
  readonly responder: DriverLogic<AdvertiserCommand, undefined, AdvertiserFact>;
  /** Tells the way to the network (`lanWatch()` of the same). */
  readonly lan: DriverLogic<AdvertiserCommand, undefined, LanFact>;
}

/**
 * Tells what is announced: who the panel is and the port that is really listened on. While one of them is away, what
 * was told last stands.
 */
const wishFollower = (registry: Registry) =>
  fromDriver<AdvertiserCommand, undefined, WishFact>(({ send }) => {
    let told: AdvertiserWish | null = null;
    const look = (): void => {
      // The actors' public facts, by their contracts in machines/*/events.ts.
      const identity = registry.read('identity')?.context;
      const port = registry.read('http')?.context.port ?? -1;
      if (identity === undefined || identity.panelId === '' || port <= 0) return;
      const wish = { panelId: identity.panelId, friendlyName: identity.friendlyName, version: identity.version, port };
      if (sameValue(wish, told)) return;
      told = wish;
      send({ type: 'advertiser.wished', wish });
    };
    const ends = [
      registry.follow('identity', (snapshot) => snapshot?.context, look),
      registry.follow('http', (snapshot) => snapshot?.context, look),
    ];
    return () => {
      for (const end of ends) end();
    };
  });

/**
 * The advertisement of this panel on the network: asked to stop, it ends at once, and the goodbye is said
 * while the rest stops.
 */
export const advertiserSpec = ({ registry, responder, lan }: AdvertiserDeps): Part =>
  part(advertiser, advertiserMachine.provide({ actors: { responder, lan, wishes: wishFollower(registry) } }), {
    stop: { event: { type: 'advertiser.stop' }, withinMs: 50 },
  });
