import { expect, it } from 'vitest';

import { understood } from '#bin/understood.ts';

it.each<[Readonly<Record<string, string>>, string | null]>([
  [{}, null],
  [{ mqtt_password: 'marker', ha_token: 'marker', ha_oauth: 'marker' }, null],
  [{ friendly_name: 'Kitchen', panel_id: 'kitchen' }, 'Given to this panel: name Kitchen, panel id kitchen.'],
  [
    { mqtt_password: 'marker', mqtt_user: 'wall', mqtt_broker: 'mqtt://homeassistant', ha_url: 'http://h:8123' },
    'Given to this panel: Home Assistant at http://h:8123, broker at mqtt://homeassistant:1883, broker user wall.',
  ],
  [{ mqtt_broker: 'tls://[FD00::1]' }, 'Given to this panel: broker at mqtts://[fd00::1]:8883.'],
  [{ home_dashboard: '/lovelace/hall' }, 'Given to this panel: home dashboard /lovelace/hall.'],
  [{ home_dashboard: '' }, 'Given to this panel: the default dashboard.'],
])('%j is echoed without secrets', (settings, sentence) => expect(understood(settings)).toBe(sentence));
