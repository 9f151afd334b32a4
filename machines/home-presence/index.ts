import { capabilitiesOf, headline, inField, ownVerdict } from '../kit/capability.ts';
import { subsystem } from '../subsystem.ts';
import type { HomePresenceActor } from './events.ts';
import { status } from './status.ts';

/** The one verdict on Home Assistant for all pages, commands and screens. */
export const homePresence = subsystem<HomePresenceActor>()({
  ids: ['home-presence'],
  group: 'link',
  capabilities: capabilitiesOf<HomePresenceActor>([
    {
      id: 'platform',
      title: 'Home Assistant',
      actor: 'home-presence',
      after: 'mqtt',
      urgency: 50,
      pages: inField('panel_id', ['panel-id-taken']),
      headlines: {
        'panel-id-taken': 'Give this panel another id',
        'removed-elsewhere': 'Bring this panel back',
        ...headline("Home Assistant isn't responding", ['home-assistant-gone', 'home-assistant-unreachable']),
        'mqtt-disabled': 'Enable MQTT in Home Assistant',
        'mqtt-waits-for-password': "Enter the broker's password in Home Assistant",
        'mqtt-not-set-up': 'Add MQTT to Home Assistant',
        'device-disabled': 'Enable this panel in Home Assistant',
        'not-shown': 'Home Assistant does not show this panel',
      },
      judge: ownVerdict,
    },
  ]),
  status,
});
