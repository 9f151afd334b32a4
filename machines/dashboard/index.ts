import { type NoActor, subsystem } from '../subsystem.ts';
import { rows } from './entities.ts';
import { dashboardSettings } from './settings.ts';

/** The home dashboard; its path is a setting, so it has no actor. */
export const dashboard = subsystem<NoActor>()({
  ids: [],
  group: null,
  settings: { after: 'panel_id', object: dashboardSettings },
  settingGroups: [{ id: 'dashboard', title: 'Dashboard', icon: 'mdi:view-dashboard-outline', after: 'identity' }],
  entities: rows,
});
