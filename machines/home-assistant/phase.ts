import { matchesState, type StateValue } from 'xstate';

import type { SnapshotView } from '../kit/snapshot.ts';
import type { EpochMs } from '../kit/units.ts';
import type { Excess, HomeAssistantContext } from './events.ts';
import { parkedFor } from './excess.ts';
import { type NetworkFacts, noSocket, type SocketStanding } from './network.ts';

/** The phase of the connection to Home Assistant; a value in the status document. */
export type ConnectionPhase = 'closed' | 'connecting' | 'live' | 'reconnecting' | 'refused' | 'parked';

type Shown = SnapshotView<HomeAssistantContext>;

/** The phase, derived from the state of the machine. */
export function phaseOf({ value, context }: Shown): ConnectionPhase {
  const link = (state: StateValue): boolean => matchesState({ running: { link: state } }, value);
  if (link('refused')) return 'refused';
  if (link('parked')) return 'parked';
  if (link({ held: { attempting: 'live' } })) return 'live';
  if (!link('held')) return 'closed';
  return context.established ? 'reconnecting' : 'connecting';
}

/** The excess that the panel currently backs off for; null without one. */
export const parkedBy = ({ excess, isParked }: HomeAssistantContext, now: EpochMs): Excess | null =>
  isParked && excess !== null && parkedFor(excess, now) > 0 ? excess : null;

const standings: Readonly<Record<ConnectionPhase, SocketStanding>> = {
  closed: 'absent',
  connecting: 'absent',
  refused: 'absent',
  parked: 'absent',
  live: 'live',
  reconnecting: 're-establishing',
};

/** Input of the network verdict; no socket while the part restarts. */
export const networkOf = (shown: Shown | undefined): NetworkFacts =>
  shown === undefined
    ? noSocket
    : {
        standing: standings[phaseOf(shown)],
        settling: shown.context.settling,
        samples: shown.context.samples,
        lastAnsweredAt: shown.context.lastAnsweredAt,
        lastProbedAt: shown.context.lastProbedAt,
      };
