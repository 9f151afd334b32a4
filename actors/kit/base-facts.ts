import type { Milliseconds } from '#machines/kit/units.ts';
import { followAll, lastKnown } from './follow-all.ts';
import { realTimers, type Registry, type Timers } from './registry.ts';

/** The facts of settings and identity that the health line reports. */
export interface KnownBase {
  readonly panelId: string;
  /** Digest of the configuration, eight hex digits. */
  readonly digest: string;
}

/** Settings, identity and profile for callers that wait for the first start and ignore later restarts. */
export interface BaseFacts {
  /** The last known facts; null until all three were up for the first time. */
  readonly known: () => KnownBase | null;
  /** Resolves to true once the facts are known, or to false after the bound. */
  readonly whenKnown: (boundMs: Milliseconds) => Promise<boolean>;
  /** Calls back once, when the facts become known; returns a function that cancels. */
  readonly onKnown: (wake: () => void) => () => void;
  readonly end: () => void;
}

/** Follows the part of the base that requests are answered from, across restarts. */
export function followBase(registry: Pick<Registry, 'follow'>, timers: Timers = realTimers): BaseFacts {
  let known: KnownBase | null = null;
  const waiting = new Set<() => void>();
  const onKnown = (wake: () => void): (() => void) => {
    waiting.add(wake);
    return () => waiting.delete(wake);
  };
  const end = followAll(
    registry,
    {
      // Revision 0 is a placeholder until the store was read.
      settings: lastKnown((seen) => (seen === undefined || seen.context.revision === 0 ? null : seen.context.digest)),
      identity: lastKnown((seen) => (seen === undefined || seen.context.panelId === '' ? null : seen.context.panelId)),
      'active-profile': lastKnown((seen) => (seen === undefined ? null : seen.context.id)),
    },
    ({ settings, identity, 'active-profile': profile }) => {
      if (settings === null || identity === null || profile === null) return;
      known = { panelId: identity, digest: settings };
      for (const wake of waiting) {
        waiting.delete(wake);
        wake();
      }
    },
  );
  return {
    known: () => known,
    onKnown,
    end,
    whenKnown: (boundMs) =>
      known !== null
        ? Promise.resolve(true)
        : new Promise((resolve) => {
            const finish = (isKnown: boolean): void => {
              timers.clearTimeout(timer);
              cancel();
              resolve(isKnown);
            };
            const cancel = onKnown(() => finish(true));
            const timer = timers.setTimeout(() => finish(false), boundMs);
          }),
  };
}
