import { subsystem } from '../subsystem.ts';
import type { MaintenanceActor } from './events.ts';
import { history } from './history.ts';
import { status } from './status.ts';

/** Operations on the whole panel, of which one at most runs at a time. */
export const maintenance = subsystem<MaintenanceActor>()({
  ids: ['maintenance'],
  group: 'upkeep',
  status,
  historyKinds: [{ kind: 'maintenance', about: 'settings', icon: 'mdi:wrench-outline' }],
  history,
  sectionFiles: { maintenance: 'never' },
  problems: { 'operation-busy': 409 },
});
