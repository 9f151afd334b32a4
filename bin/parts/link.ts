import { advertiserSpec } from '#actors/advertiser.ts';
import { finderSpec } from '#actors/finder.ts';
import { mqttSpec } from '#actors/mqtt.ts';
import { pathProbeSpec } from '#actors/path-probe.ts';
import { publisherSpec } from '#actors/publisher.ts';
import { readSecret } from '#actors/settings.ts';
import { lanWatch } from '#drivers/advertiser/lan-watch.ts';
import { mdnsResponder } from '#drivers/advertiser/responder.ts';
import { homeAssistantBrowser } from '#drivers/finder/browse.ts';
import { brokerClient } from '#drivers/mqtt/client.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { echoes } from '#drivers/path-probe/echoes.ts';
import { type Wiring, present } from './deps.ts';

/** The ways to Home Assistant and into the network. */
export const linkParts: Wiring = ({ registry, log, now, responder }) => {
  const readPassword = async (): Promise<string | null> => {
    const password = await readSecret(registry, 'mqtt_password');
    if (password !== null) log.protect(password);
    return password;
  };
  return [
    ...present(responder, (file) => advertiserSpec({ registry, responder: mdnsResponder(file), lan: lanWatch() })),
    finderSpec({ registry, browse: responder === null ? null : homeAssistantBrowser() }),
    mqttSpec({ registry, connection: brokerClient({ readPassword, now }), readPassword }),
    publisherSpec({ registry, note: (message, facts) => log.warn(message, facts) }),
    // No socket to Home Assistant is held, so there is no way to measure.
    pathProbeSpec({ registry, driver: echoes({ route: () => null, now }), connection: fromDriver(() => {}) }),
  ];
};
