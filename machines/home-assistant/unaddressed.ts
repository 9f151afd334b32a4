import type { SnapshotView } from '../kit/snapshot.ts';
import type { HomeAssistantContext } from './events.ts';

/** The connection while Home Assistant has no address: there is no sign-in, and nothing is held. */
export const unaddressed: SnapshotView<HomeAssistantContext> = {
  value: {
    running: { link: 'absent', lifecycle: 'steady', shutdown: 'certain', shared: 'none', settling: 'settled' },
  },
  context: {
    samples: [],
    lastAnsweredAt: null,
    lastProbedAt: null,
    established: false,
    settling: false,
    lifecycle: null,
    reasons: [],
    route: null,
    missed: 0,
    doubts: 0,
    failure: null,
    excess: null,
    isParked: false,
  },
};
