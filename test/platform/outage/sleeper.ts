import type { AutoSleepDocument } from '#machines/auto-sleep/document.ts';
import type { HomeClient } from '../home-assistant/client.ts';
import type { Home } from '../home-assistant/home.ts';
import { resident, tokenOf } from '../home-assistant/onboard.ts';
import { Agent } from '../kit/agent.ts';
import { type Broker, observe } from '../kit/broker.ts';
import { join, panelCalled } from '../kit/panel.ts';
import { until } from '../kit/until.ts';

const panel = panelCalled('bed', 'Bed panel');
const SENSOR = 'bed_motion';
/** Hours in which the screen is always off. */
const ALWAYS = '00:00-12:00; 12:00-00:00';

/** A panel whose screen sleeps because its room in Home Assistant is empty. */
export interface Sleeper {
  /** Announces its sensor, which reports no person, to a broker that has forgotten it. */
  readonly announce: () => Promise<void>;
  readonly decision: () => Promise<AutoSleepDocument>;
  readonly isLit: () => Promise<boolean>;
  /** What lit its screen, and how many milliseconds after the sensor had reported a person. */
  readonly wake: () => Promise<{ readonly by: string | undefined; readonly tookMs: number }>;
  readonly stop: () => Promise<void>;
}

/** Moves a device to an area that each new Home Assistant has. */
async function toBedroom(identifier: string, client: HomeClient): Promise<void> {
  const id = await until(`${identifier} is known`, async () => (await client.devices(identifier))[0]?.id);
  await client.call('config/device_registry/update', { device_id: id, area_id: 'bedroom' });
}

/** Starts one, asleep. */
export async function asleep(home: Home, broker: Broker, client: HomeClient): Promise<Sleeper> {
  const [agent, { client: mqtt }] = await Promise.all([Agent.start(), observe(broker.port)]);
  const report = (state: string) => mqtt.publishAsync(SENSOR, state, { retain: true });
  const announce = async (): Promise<void> => {
    await report('OFF');
    const motion = { platform: 'binary_sensor', unique_id: SENSOR, device_class: 'motion', state_topic: SENSOR };
    const device = { identifiers: [SENSOR], name: 'Motion' };
    const config = JSON.stringify({ device, origin: { name: 'Tests' }, components: { motion } });
    await mqtt.publishAsync(`homeassistant/device/${SENSOR}/config`, config, { retain: true });
  };
  const stop = async (): Promise<void> => {
    await agent.stop();
    await mqtt.endAsync(true);
  };
  // The agents of these tests check each answer by its schema.
  const decision = async () => JSON.parse(await agent.text('/api/v1/auto-sleep')) as AutoSleepDocument;
  const isLit = async (): Promise<boolean> => (await agent.status()).screen?.lit !== false;
  try {
    await agent.configure({
      ha_url: home.url,
      ha_token: await tokenOf(home.url, resident),
      screen_off_hours: ALWAYS,
      auto_sleep_source: 'home_assistant',
    });
    await join(agent, panel, broker.port);
    await announce();
    await toBedroom(`sconce_${panel.id}`, client);
    await toBedroom(SENSOR, client);
    await until('the hours', async () => !(await isLit()));
    // Dark already, it is given no lease by a room that is empty: it sleeps on when the hours end.
    await agent.configure({ auto_sleep: true });
    await until('the sensor counts', async () => (await decision()).source_count === 1);
    await agent.configure({ screen_off_hours: '' });
    await until('it sleeps', async () => (await decision()).reason === 'lease_expired');
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    announce,
    decision,
    isLit,
    wake: async () => {
      const since = Date.now();
      await report('ON');
      await until('it is lit', isLit);
      const changed = (await agent.status()).screen?.changed;
      return { by: changed?.by, tookMs: (changed?.at ?? Infinity) - since };
    },
    stop,
  };
}
