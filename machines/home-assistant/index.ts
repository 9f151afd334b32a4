import { whileSettings } from '../kit/runs-while.ts';
import { subsystem } from '../subsystem.ts';
import type { HomeAssistantActor } from './events.ts';
import { history } from './history.ts';
import { status, warnings } from './status.ts';
import { unaddressed } from './unaddressed.ts';

/** The connection to Home Assistant, its verdict on the network, and what Home Assistant says of itself. */
export const homeAssistant = subsystem<HomeAssistantActor>()({
  ids: ['home-assistant'],
  group: 'link',
  runsWhile: whileSettings(
    ['ha_url', 'entity_surface'],
    // Its own integration tells the lifecycle without an address.
    ({ ha_url: address, entity_surface: surface }) => address !== '' || surface === 'native',
    unaddressed,
  ),
  probe: { type: 'home-assistant.retry' },
  status,
  warnings,
  historyKinds: [{ kind: 'home-assistant', about: 'home', icon: 'mdi:home-assistant' }],
  history,
  sections: { home_assistant: 'never' },
});
