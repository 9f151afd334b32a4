import { brokerBeside } from '#machines/mqtt/desired-broker.ts';
import { homeAssistantRecipient } from '#machines/sign-in/home-assistant-address.ts';
import type { RouteDeps } from './deps.ts';

/** Where the broker is expected on the machine of the Home Assistant in the settings; "" without one. */
export function brokerBesideHome(deps: RouteDeps): string {
  const address = String(deps.registry.read('settings')?.context.values['ha_url'] ?? '');
  const home = homeAssistantRecipient(address);
  return home === null ? '' : brokerBeside(home.host.replace(/^\[|\]$/g, ''));
}
