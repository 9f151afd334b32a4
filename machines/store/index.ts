import { subsystem } from '../subsystem.ts';
import type { StoreActor } from './events.ts';
import { history } from './history.ts';
import { warnings } from './status.ts';

export const store = subsystem<StoreActor>()({
  ids: ['store'],
  group: 'base',
  supervisionGroups: [{ id: 'base', after: null, strategy: 'rest_for_one', onGiveUp: 'escalate' }],
  warnings,
  historyKinds: [{ kind: 'storage', about: 'agent', icon: 'mdi:harddisk' }],
  history,
});
