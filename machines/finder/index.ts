import { whileSettings } from '../kit/runs-while.ts';
import { subsystem } from '../subsystem.ts';
import type { FinderActor, FinderContext } from './events.ts';

const idle: FinderContext = { wanted: false, outcome: 'idle', host: null, name: null, count: 0, failure: null };

/** The search for Home Assistant on the network; not needed once a broker and an address are configured. */
export const finder = subsystem<FinderActor>()({
  ids: ['finder'],
  group: 'link',
  runsWhile: whileSettings(
    ['mqtt_broker', 'ha_url'],
    ({ mqtt_broker: broker, ha_url: address }) => broker === '' || address === '',
    { value: 'idle', context: idle },
  ),
});
