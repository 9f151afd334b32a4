import { subsystem } from '../subsystem.ts';
import type { SettingsActor } from './events.ts';
import { history } from './history.ts';
import { status, warnings } from './status.ts';

export const settings = subsystem<SettingsActor>()({
  ids: ['settings'],
  group: 'base',
  tags: [{ id: 'configuration', about: 'Settings: reading, changing, and what there is to set.', after: 'panel' }],
  status,
  warnings,
  historyKinds: [
    { kind: 'configuration', about: 'settings', icon: 'mdi:tune' },
    { kind: 'recipient', about: 'home', icon: 'mdi:lan-connect' },
  ],
  history,
  // `broker` held the recipient of the broker's password before each credential had its own.
  // `consents` names the machine on which each was given, and holds on no other one.
  sections: { settings: 'configuration', secrets: 'configuration', consents: 'never', broker: 'never' },
  problems: { 'invalid-config': 400, 'commit-failed': 500, 'save-unknown': 503 },
});
