import { historyOf } from '../kit/happening.ts';
import type { PublisherActor } from './events.ts';
import { phaseOf } from './phase.ts';

/** A Home Assistant that came to the broker or left it. */
export const history = [
  historyOf<PublisherActor>()({
    actor: 'publisher',
    kind: 'platform',
    codes: ['connected', 'lost'],
    selector: ({ homeAssistantSeen }, state) => ({ live: phaseOf(state) === 'live', seen: homeAssistantSeen }),
    happenings: (before, after, now, happened) => {
      if (after.seen) return before?.seen === true ? [] : happened(now, 'connected');
      return before?.seen === true && after.live ? happened(now, 'lost') : [];
    },
  }),
];
