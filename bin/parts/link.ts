import { brokerProbeSpec } from '#actors/broker-probe.ts';
import { homePresenceSpec } from '#actors/home-presence.ts';
import { homeProbeSpec } from '#actors/home-probe.ts';
import { mqttSpec } from '#actors/mqtt.ts';
import { pathProbeSpec } from '#actors/path-probe.ts';
import { publisherSpec } from '#actors/publisher.ts';
import { type Credential, readCredential } from '#actors/settings.ts';
import { homeLook } from '#drivers/home-probe/look.ts';
import { brokerClient } from '#drivers/mqtt/client.ts';
import { createMessageExchange } from '#drivers/mqtt/message-exchange.ts';
import { brokerProbe } from '#drivers/mqtt/probe.ts';
import { passwordMark } from '#drivers/mqtt/password-mark.ts';
import { echoes } from '#drivers/path-probe/echoes.ts';
import type { ConnectedRoute } from '#drivers/path-probe/route.ts';
import { systemTrust } from '#drivers/sign-in/trust.ts';
import { chunk } from '#machines/kit/chunk.ts';
import { present, type Wiring } from './deps.ts';

const chunks = {
  advertiser: chunk(() => import('./advertiser.ts')),
  companion: chunk(() => import('./companion.ts')),
  browse: chunk(() => import('#drivers/finder/browse.ts')),
  finder: chunk(() => import('#actors/finder.ts')),
  homeAssistant: chunk(() => import('./home-assistant.ts')),
  homeChoice: chunk(() => import('#actors/kit/home-choice.ts')),
};

/** The connections to Home Assistant and to the network. */
export const linkParts: Wiring = (deps) => {
  const { registry, admission, log, now, responder } = deps;
  const readPassword = async (): Promise<Credential | null> => {
    const password = await readCredential(registry, 'mqtt_password');
    if (password !== null) log.protect(password.value);
    return password;
  };
  const trust = systemTrust();
  const messages = createMessageExchange();
  // Passed from one driver to the other without an event: the address is shown nowhere.
  let connected: ConnectedRoute | null = null;
  const onRoute = (route: ConnectedRoute): void => {
    connected = route;
  };
  return [
    ...present('advertiser', responder, async (file) => (await chunks.advertiser()).advertiserPart(deps, file)),
    {
      id: 'finder',
      // If the network is left alone, it reports that whatever the settings say.
      always: responder === null,
      load: async () => {
        const browse = responder === null ? null : (await chunks.browse()).homeAssistantBrowser();
        return (await chunks.finder()).finderSpec({ registry, browse });
      },
    },
    mqttSpec({
      registry,
      connection: brokerClient({
        readPassword: async () => (await readPassword())?.value ?? null,
        now,
        messages,
      }),
      readPassword,
      markPassword: passwordMark,
      now,
    }),
    publisherSpec({
      registry,
      messages,
      admission,
      note: (message, facts) => log.warn(message, facts),
      now,
      lookAtSettings: (patch) =>
        'home_dashboard' in patch
          ? chunks.homeChoice().then(({ objectionToHome }) => objectionToHome(registry, patch['home_dashboard']))
          : null,
    }),
    { id: 'companion', load: async () => (await chunks.companion()).companionPart(deps) },
    {
      id: 'home-assistant',
      load: async () => (await chunks.homeAssistant()).homeAssistantPart(deps, { trust, onRoute }),
    },
    pathProbeSpec({ registry, driver: echoes({ route: () => connected, now }) }),
    brokerProbeSpec({ connection: brokerProbe() }),
    homeProbeSpec({ connection: homeLook({ trust }) }),
    homePresenceSpec(registry),
  ];
};
