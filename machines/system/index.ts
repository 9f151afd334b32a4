import { type NoActor, subsystem } from '../subsystem.ts';
import { systemSettings } from './settings.ts';
import { status } from './status.ts';

export const system = subsystem<NoActor>()({
  ids: [],
  group: null,
  tags: [{ id: 'status', about: 'How the panel is: health, status, diagnostics, history, logs.', after: null }],
  settings: { after: 'http_allowed_hosts', object: systemSettings },
  settingGroups: [{ id: 'system', title: 'System', icon: 'mdi:wrench-outline', after: 'sensors' }],
  status,
});
