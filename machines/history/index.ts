import { subsystem } from '../subsystem.ts';
import type { HistoryActor } from './events.ts';

/** The history of this panel. */
export const history = subsystem<HistoryActor>()({
  ids: ['history'],
  group: 'upkeep',
  supervisionGroups: [{ id: 'upkeep', after: 'access', strategy: 'one_for_one', onGiveUp: 'park' }],
  historyKinds: [
    { kind: 'agent', about: 'agent', icon: 'mdi:power' },
    { kind: 'part', about: 'agent', icon: 'mdi:alert' },
  ],
  // No actor reports these: how a run of the agent began and ended, and what happened to a part.
  agentHistory: [
    { kind: 'agent', codes: ['first-start', 'started', 'started-after-cut', 'stopped'], single: true },
    { kind: 'part', codes: ['crashed', 'parked', 'cut'] },
  ],
  sectionFiles: { history: 'never' },
});
