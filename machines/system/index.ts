import { type NoActor, subsystem } from '../subsystem.ts';
import { systemSettings } from './settings.ts';
import { status } from './status.ts';

/** What concerns the agent as a whole. */
export const system = subsystem<NoActor>()({
  ids: [],
  group: null,
  settings: { order: 120, object: systemSettings },
  settingGroups: [{ id: 'system', title: 'System', icon: 'mdi:wrench-outline', after: 'sensors' }],
  status,
});
