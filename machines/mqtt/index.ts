import { capabilitiesOf, onPage } from '../kit/capability.ts';
import { subsystem } from '../subsystem.ts';
import type { MqttActor } from './events.ts';
import { history } from './history.ts';
import { shownLink } from './phase.ts';
import { mqttSettings } from './settings.ts';
import { diag, status } from './status.ts';
import { judgeBroker } from './verdict.ts';

/** The link to the broker. */
export const mqtt = subsystem<MqttActor>()({
  ids: ['mqtt'],
  group: 'broker',
  settings: { order: 25, object: mqttSettings },
  capabilities: capabilitiesOf<MqttActor>([
    {
      id: 'mqtt',
      title: 'Broker',
      actor: 'mqtt',
      order: 140,
      urgency: 40,
      pages: onPage('/configure', [
        'no-broker',
        'search-switched-off',
        'looking-for-broker',
        'more-than-one-platform',
        'broker-moved',
        'broker-unconfirmed',
        'wrong-credentials',
        'bad-address',
        'broker-name-unknown',
        'broker-unreachable',
        'broker-packet-too-large',
        'certificate-other-name',
      ]),
      judge: (snapshot) => judgeBroker(shownLink(snapshot)),
    },
  ]),
  status,
  diag,
  history,
  sections: ['broker'],
  problems: { 'nothing-to-confirm': 409, 'broker-changed': 409 },
});
