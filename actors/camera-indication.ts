import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { IndicationCommand, IndicationDriver, IndicationFact } from '#machines/camera-session/events.ts';
import type { InUseRefusal } from '#machines/in-use/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import type { Registry } from './kit/registry.ts';
import { until } from './kit/until.ts';

/** Longest wait for the mark, which is confirmed or refused within 3 s. */
const HOLD_MS: Milliseconds = 4000;
/** Longest wait for the part that shows it. */
const START_MS: Milliseconds = 2000;

/**
 * Holds the mark by the part `in-use`. It is confirmed once that part shows it, and refused when it is lost, also by
 * the end of that part, which forgets who held it. A session that ends without a release, since it crashed or was ended
 * for taking too long, leaves the mark up until its captures are `closed`, or for the session after it.
 */
export function cameraIndication(
  registry: Pick<Registry, 'ask' | 'follow' | 'tell'>,
  closed: () => Promise<void>,
): IndicationDriver {
  /** The session that held it last; null once it was released. */
  let holding: symbol | null = null;
  return fromDriver<IndicationCommand, undefined, IndicationFact>(({ send, onEvent, guard }) => {
    const self = Symbol('session');
    let unfollow: (() => void) | null = null;
    let holds = 0;
    const lost = (reason: InUseRefusal): void => {
      send({ type: 'indication.refused', reason });
    };
    const watch = (): void => {
      unfollow?.();
      unfollow = registry.follow(
        'in-use',
        (snapshot) => {
          const facts = snapshot?.context;
          return facts?.holders.includes('camera') === true
            ? { shown: facts.shown, refusal: facts.refusal }
            : { shown: 'none' as const, refusal: 'unconfirmed' as const };
        },
        guard(({ shown, refusal }) => {
          if (shown !== 'none') send({ type: 'indication.confirmed', by: shown });
          else if (refusal !== null) lost(refusal);
        }),
      );
    };
    const forget = (): void => {
      holds += 1;
      unfollow?.();
      unfollow = null;
    };
    const release = (): void => {
      forget();
      holding = null;
      registry.tell('in-use', { type: 'in-use.release', holder: 'camera' });
    };
    onEvent(async ({ type }) => {
      if (type === 'indication.release') {
        release();
        return;
      }
      holds += 1;
      holding = self;
      const own = holds;
      // Both are turned on by the same setting, and this one may be there first.
      await until(registry, 'in-use', () => true, START_MS);
      if (own !== holds) return;
      const asked = await registry.ask('in-use', { type: 'in-use.hold', holder: 'camera' }, HOLD_MS);
      if (own !== holds) return;
      if (!asked.ok) lost('unconfirmed');
      else if (asked.value.status === 'refused') lost(asked.value.reason);
      else watch();
    });
    return async () => {
      forget();
      if (holding !== self) return;
      await closed();
      if (holding === self) release();
    };
  });
}
