import type { Verdict } from '../kit/verdict.ts';
import type { RestartReason } from './events.ts';
import { ROUNDS, type StandIn } from './rounds.ts';

/** What a page did each time, as a sentence goes on. */
const did: Partial<Readonly<Record<RestartReason, string>>> = {
  hung: 'hung',
  crashed: 'crashed',
  blank: 'stayed empty',
};

/** Numbers below ten are written out. */
const times = ROUNDS === 3 ? 'three' : String(ROUNDS);

const failed = (reason: RestartReason): string =>
  `was loaded ${times} times and ${did[reason] ?? 'took its browser down'} each time`;

const again = 'in an hour, when Home Assistant has restarted, or when a dashboard is changed there';

/** The verdict while another page stands for home; null while none does. */
export const judgeStandIn = (standIn: StandIn | null): Verdict | null => {
  if (standIn === null) return null;
  const shared = { state: 'needs_you', missing: 'A home dashboard that stays up.', fix: null } as const;
  return standIn.page === 'start'
    ? {
        ...shared,
        reason: 'start-page-instead',
        detail: `The home dashboard ${failed(standIn.reason)}, so the default dashboard of Home Assistant is shown. Look at the cards that were added last. Sconce tries the home dashboard again ${again}; the button "Home dashboard" tries it now.`,
      }
    : {
        ...shared,
        reason: 'calm-page-instead',
        detail: `The dashboard ${failed(standIn.reason)}, so the calm page of this panel is shown. Look at the cards that were added last. Sconce tries again ${again}; the button "Try again" on the screen tries it now.`,
      };
};
