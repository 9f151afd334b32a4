import type { Milliseconds } from '#machines/kit/units.ts';
import { followAll, lastKnown } from './follow-all.ts';
import { realTimers, type Registry, type Timers } from './registry.ts';

/** What the health line says of settings and identity. */
export interface KnownBase {
  readonly panelId: string;
  /** Digest of the configuration, eight hex digits. */
  readonly digest: string;
}

/** Settings, identity and profile as callers depend on them: a start is waited for, a later restart is not noticed. */
export interface BaseFacts {
  /** What was known last; null until all three were up for the first time. */
  readonly known: () => KnownBase | null;
  /** Waits until it is known: true, or false once the bound has passed. */
  readonly whenKnown: (boundMs: Milliseconds) => Promise<boolean>;
  /** Calls back once when it is known; returns how to take that back. */
  readonly onKnown: (wake: () => void) => () => void;
  /** Ends the following. */
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
      // Revision 0 is what stands in until the store was read.
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
