import { type NoActor, subsystem } from '../subsystem.ts';
import { rows } from './entities.ts';
import { dashboardSettings } from './settings.ts';

/** What the panel shows; its text is a setting, so it has no actor of its own. */
export const dashboard = subsystem<NoActor>()({
  ids: [],
  group: null,
  settings: { after: 'panel_id', object: dashboardSettings },
  settingGroups: [{ id: 'dashboard', title: 'Dashboard', icon: 'mdi:view-dashboard-outline', after: 'identity' }],
  entities: rows,
});
