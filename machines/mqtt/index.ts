import { capabilitiesOf, headline, inField, onPage } from '../kit/capability.ts';
import { subsystem } from '../subsystem.ts';
import type { MqttActor } from './events.ts';
import { history } from './history.ts';
import { linkSnapshot } from './phase.ts';
import { mqttSettings } from './settings.ts';
import { status } from './status.ts';
import { judgeBroker } from './verdict.ts';

export const mqtt = subsystem<MqttActor>()({
  ids: ['mqtt'],
  group: 'broker',
  // The publisher uses the link to the broker, so it restarts with it.
  supervisionGroups: [{ id: 'broker', within: 'link', after: null, strategy: 'rest_for_one', onGiveUp: 'park' }],
  settings: { after: 'ha_url', object: mqttSettings },
  settingGroups: [{ id: 'mqtt', title: 'Broker', icon: 'mdi:lan-connect', after: 'home-assistant' }],
  capabilities: capabilitiesOf<MqttActor>([
    {
      id: 'mqtt',
      title: 'Broker',
      actor: 'mqtt',
      after: 'camera',
      urgency: 40,
      pages: {
        ...inField('mqtt_broker', [
          'no-broker',
          'search-switched-off',
          'looking-for-broker',
          'more-than-one-platform',
          'bad-address',
          'broker-name-unknown',
          'broker-unreachable',
          'broker-packet-too-large',
          'no-mqtt-there',
          'certificate-other-name',
        ]),
        ...inField('mqtt_user', ['credentials-needed']),
        ...inField('mqtt_password', ['wrong-credentials']),
        ...onPage('/configure/mqtt#confirm-moved', ['broker-moved']),
        ...onPage('/configure/mqtt#confirm-broker', ['broker-unconfirmed']),
      },
      headlines: {
        ...headline('Connect to your broker', ['no-broker', 'search-switched-off', 'looking-for-broker']),
        'more-than-one-platform': 'Choose your Home Assistant',
        ...headline('Stop the second copy of this panel', ['second-copy', 'broker-drops']),
        'broker-moved': 'Confirm the broker’s new address',
        'broker-unconfirmed': 'Confirm the broker',
        'certificate-untrusted': 'Trust the broker’s certificate',
        'credentials-needed': 'Enter the broker’s user name and password',
        'wrong-credentials': 'Correct the broker’s password',
        ...headline('Correct the broker’s address', ['bad-address', 'broker-name-unknown', 'certificate-other-name']),
        '*': 'Check your broker',
      },
      judge: (snapshot) => judgeBroker(linkSnapshot(snapshot)),
      shown: ({ context }) => !context.isUnneeded,
    },
  ]),
  status,
  historyKinds: [{ kind: 'broker', about: 'home', icon: 'mdi:lan-connect' }],
  history,
  problems: { 'nothing-to-confirm': 409, 'broker-changed': 409, unproven: 403, 'too-many-tries': 429 },
});
