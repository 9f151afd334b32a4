import type { Verdict } from '../kit/verdict.ts';
import type { RestartReason } from './events.ts';
import { MAX_ATTEMPTS, type FallbackPage } from './failure-streak.ts';

/** Predicates that complete "and ... each time". */
const did: Partial<Readonly<Record<RestartReason, string>>> = {
  hung: 'hung',
  crashed: 'crashed',
  blank: 'stayed empty',
};

const times = MAX_ATTEMPTS === 3 ? 'three' : String(MAX_ATTEMPTS);

const failed = (reason: RestartReason): string =>
  `was loaded ${times} times and ${did[reason] ?? 'took its browser down'} each time`;

const again = 'in an hour, when Home Assistant has restarted, or when a dashboard is changed there';

/** The verdict while a fallback is shown; null while none is. */
export function judgeFallback(fallback: FallbackPage | null): Verdict | null {
  if (fallback === null) return null;
  const shared = { state: 'needs_you', missing: 'A home dashboard that stays up.', fix: null } as const;
  return fallback.page === 'start'
    ? {
        ...shared,
        reason: 'start-page-instead',
        detail: `The home dashboard ${failed(fallback.reason)}, so the default dashboard of Home Assistant is shown. Look at the cards that were added last. Sconce tries the home dashboard again ${again}; the button "Home dashboard" tries it now.`,
      }
    : {
        ...shared,
        reason: 'calm-page-instead',
        detail: `The dashboard ${failed(fallback.reason)}, so the offline page of this panel is shown. Look at the cards that were added last. Sconce tries again ${again}; the button "Try again" on the screen tries it now.`,
      };
}
