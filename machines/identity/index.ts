import { subsystem } from '../subsystem.ts';
import type { IdentityActor } from './events.ts';
import { identitySettings } from './settings.ts';
import { status } from './status.ts';

export const identity = subsystem<IdentityActor>()({
  ids: ['identity'],
  group: 'base',
  settings: { after: 'mqtt_broker', object: identitySettings },
  settingGroups: [{ id: 'identity', title: 'Name', icon: 'mdi:tag-outline', after: 'mqtt' }],
  status,
  sections: { identity: 'never' },
});
