import { capabilitiesOf, ownVerdict } from '../kit/capability.ts';
import { subsystem } from '../subsystem.ts';
import type { AnnouncerActor } from './events.ts';
import { history } from './history.ts';
import { announcerSettings } from './settings.ts';
import { status } from './status.ts';

export const announcer = subsystem<AnnouncerActor>()({
  ids: ['announcer'],
  group: 'media',
  probe: { type: 'announcer.probe' },
  settings: { after: 'volume_limit_percent', object: announcerSettings },
  capabilities: capabilitiesOf<AnnouncerActor>([
    {
      id: 'announcements',
      title: 'Announcements',
      actor: 'announcer',
      after: 'volume',
      urgency: 70,
      headlines: { '*': 'Let this panel speak' },
      judge: ownVerdict,
    },
  ]),
  status,
  historyKinds: [{ kind: 'announcement', about: 'sound', icon: 'mdi:bullhorn-outline' }],
  history,
  operations: { REMOTE_MEDIA: { in: 'hardened', title: 'Play a sound' } },
  problems: { 'no-url': 400 },
});
