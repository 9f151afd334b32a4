import { type DriverLogic, fromDriver } from '#drivers/kit/from-driver.ts';
import type { IndicationCommand, IndicationDriver, IndicationFact } from '#machines/camera-session/events.ts';
import { isScreenless } from '#machines/in-use/decide.ts';
import type { InUseHolder, InUseRefusal } from '#machines/in-use/events.ts';
import type { Milliseconds } from '#machines/kit/units.ts';
import type { VoiceIndicationDriver, VoiceIndicationFact } from '#machines/voice/events.ts';

import type { Registry } from './kit/registry.ts';
import { until } from './kit/until.ts';

/** Longest wait for the mark, which is confirmed or refused within 3 s. */
const HOLD_MS: Milliseconds = 4000;
/** Longest wait for the part that shows it. */
const START_MS: Milliseconds = 2000;

/** What holds the mark, and what a refusal means to it. */
interface Holder<F extends VoiceIndicationFact> {
  readonly holder: InUseHolder;
  readonly refused: (reason: InUseRefusal) => F;
}

/**
 * Holds the mark by the part `in-use`. It is confirmed once that part shows it, and refused when it is lost, also by
 * the end of that part, which forgets who held it. A session that ends without a release, since it crashed or was ended
 * for taking too long, leaves the mark up until what it opened is `closed`, or for the session after it.
 */
function indication<F extends VoiceIndicationFact>(
  registry: Pick<Registry, 'ask' | 'follow' | 'tell'>,
  closed: () => Promise<void>,
  { holder, refused }: Holder<F>,
): DriverLogic<IndicationCommand, undefined, IndicationFact | F> {
  /** The session that held it last; null once it was released. */
  let holding: symbol | null = null;
  return fromDriver<IndicationCommand, undefined, IndicationFact | F>(({ send, onEvent, guard }) => {
    const self = Symbol('session');
    let unfollow: (() => void) | null = null;
    let holds = 0;
    const watch = (): void => {
      unfollow?.();
      unfollow = registry.follow(
        'in-use',
        (snapshot) => {
          const facts = snapshot?.context;
          return facts?.holders.includes(holder) === true
            ? facts.each[holder]
            : { shown: 'none' as const, refusal: 'unconfirmed' as const };
        },
        guard(({ shown, refusal }) => {
          if (shown !== 'none') send({ type: 'indication.confirmed', by: shown });
          else if (refusal !== null) send(refused(refusal));
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
      registry.tell('in-use', { type: 'in-use.release', holder });
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
      const asked = await registry.ask('in-use', { type: 'in-use.hold', holder }, HOLD_MS);
      if (own !== holds) return;
      if (!asked.ok) send(refused('unconfirmed'));
      else if (asked.value.status === 'refused') send(refused(asked.value.reason));
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

/** The mark of the camera; `closed` resolves once every capture is closed. */
export const cameraIndication = (
  registry: Pick<Registry, 'ask' | 'follow' | 'tell'>,
  closed: () => Promise<void>,
): IndicationDriver =>
  indication<IndicationFact>(registry, closed, {
    holder: 'camera',
    refused: (reason) => ({ type: 'indication.refused', reason }),
  });

/**
 * The mark of the microphone; `closed` resolves once every recording is closed. On a panel that was started without a
 * screen the microphone was allowed on the machine itself, so it needs none.
 */
export const microphoneIndication = (
  registry: Pick<Registry, 'ask' | 'follow' | 'tell'>,
  closed: () => Promise<void>,
): VoiceIndicationDriver =>
  indication<VoiceIndicationFact>(registry, closed, {
    holder: 'microphone',
    refused: (reason) =>
      isScreenless(reason) ? { type: 'indication.confirmed', by: 'none' } : { type: 'indication.refused', reason },
  });
